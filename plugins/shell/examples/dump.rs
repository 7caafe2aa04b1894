//! temp
#![allow(clippy::print_stdout, clippy::unwrap_used)]
use std::io::Read;
fn main(){ let mut s=String::new(); std::io::stdin().read_to_string(&mut s).unwrap();
 for case in s.split("\n%%\n") { let case=case.trim_end_matches('\n');
 println!("=== {case:?}");
 let r=shuck_parser::parser::Parser::new(case).parse();
 println!("{:?}", r.status);
 println!("{:?}", r.file.body);
 match rable::parse(case,false){Ok(n)=>{for x in n {println!("R {:?}", x);}} Err(e)=>println!("RERR {e}")}
 }}
