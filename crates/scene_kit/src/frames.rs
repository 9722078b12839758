//! Long work beside the frames of a window.

use std::pin::pin;

use bevy::tasks::futures::check_ready;

/// Does such work at once, where no window waits for it. On a page nothing may wait, so this asks again and again.
pub fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        if let Some(result) = check_ready(&mut work) {
            return result;
        }
    }
}

/// Lets the window draw in the midst of long work. Call it every few milliseconds in a task of Bevy's pools.
///
/// Where there are threads, the work is on another one, and this does nothing.
#[cfg(not(target_arch = "wasm32"))]
pub async fn let_frames_pass() {}

/// Lets the window draw in the midst of long work. Call it every few milliseconds in a task of Bevy's pools.
///
/// A page has one thread. So the work stops now and then, and the browser goes on with it after its other work.
#[cfg(target_arch = "wasm32")]
pub async fn let_frames_pass() {
    use std::{cell::Cell, future::poll_fn, task::Poll, time::Duration};

    use bevy::platform::time::Instant;
    use wasm_bindgen::{JsCast, closure::Closure};

    /// So long the work goes on at once: half of a frame at 60 Hz.
    const SLICE: Duration = Duration::from_millis(8);
    thread_local! {
        static BEGAN: Cell<Option<Instant>> = const { Cell::new(None) };
    }

    let began = BEGAN.get();
    if began.is_some_and(|began| began.elapsed() < SLICE) {
        return;
    }
    let mut has_waited = false;
    poll_fn(|context| {
        if std::mem::replace(&mut has_waited, true) {
            return Poll::Ready(());
        }
        let waker = context.waker().clone();
        let go_on = Closure::once_into_js(move || waker.wake());
        let window = web_sys::window();
        let set = window.map(|window| window.set_timeout_with_callback(go_on.unchecked_ref()));
        match set {
            Some(Ok(_)) => Poll::Pending,
            _ => Poll::Ready(()),
        }
    })
    .await;
    BEGAN.set(Some(Instant::now()));
}
