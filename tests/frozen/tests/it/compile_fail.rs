//! What must not compile: a permission that is forged, copied, used twice or taken for more than it is.

#[test]
fn permission_can_neither_be_forged_nor_repeated() {
    // TRYBUILD=overwrite rewrites the messages. Only the compiler's wording may change; a case that compiles is a hole.
    trybuild::TestCases::new().compile_fail("compile-fail/*.rs");
}
