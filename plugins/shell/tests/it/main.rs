//! Tests of the shell vocabulary from outside: laws, a real shell as the judge, public corpora.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "real shells and corpora are asked")]

mod acts;
mod corpora;
mod coverage;
mod laws;
mod oracle;
#[path = "../../src/testing.rs"]
mod testing;

/// Counts the bytes that a classification asks for: a guest never frees, so their sum is what it needs.
struct Counting;

thread_local! {
    static ASKED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Bytes that this thread has asked for so far.
fn asked_bytes() -> usize {
    ASKED.with(std::cell::Cell::get)
}

// SAFETY: every call goes to the system allocator as it came.
unsafe impl std::alloc::GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: std::alloc::Layout) -> *mut u8 {
        let _ = ASKED.try_with(|asked| asked.set(asked.get() + layout.size()));
        // SAFETY: the caller keeps the contract of this very function.
        unsafe { std::alloc::System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: std::alloc::Layout) {
        // SAFETY: the pointer came from the system allocator.
        unsafe { std::alloc::System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;
