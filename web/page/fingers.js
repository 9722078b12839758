// On a touch screen one finger is a mouse, and two fingers zoom, and turn the view as the right button does.

/** Way in pixels after which a finger is no tap any more. */
const TAP = 8;
/** Pixels of the wheel for fingers that are twice as far apart. */
const DOUBLE = 540;

/** Whether a finger that is drawn over the scene holds the left button down. If not, it points. */
let holds = true;

/** Lets the fingers on `canvas` be a mouse. If they `point`, there is a button to let them hold the mouse's button. */
export function letFingersBeAMouse(canvas, point) {
  holds = !point;
  const fingers = new Map();
  // The button that is down: none, 0 for the left, 2 for the right.
  let button = null;

  // Events of a finger are sent again as those of a mouse.
  const send = (kind, at, change = {}) => {
    const buttons = button === null ? 0 : button === 0 ? 1 : 2;
    const event = {
      bubbles: true, cancelable: true, pointerType: 'mouse', pointerId: 1, isPrimary: true,
      clientX: at.x, clientY: at.y, movementX: at.dx ?? 0, movementY: at.dy ?? 0, button: -1, buttons, ...change,
    };
    if (kind === 'pointermove') event.coalescedEvents = [new PointerEvent(kind, event)];
    canvas.dispatchEvent(new PointerEvent(kind, event));
  };
  const press = (which, at) => {
    send('pointermove', at);
    button = which;
    send('pointerdown', at, { button: which });
  };
  const release = at => {
    const which = button;
    button = null;
    send('pointerup', at, { button: which });
  };

  const down = event => {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, way: 0 });
    if (fingers.size === 2 && button === null) press(2, middle());
  };
  const move = event => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const before = [...fingers.values()].map(({ x, y }) => ({ x, y }));
    const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
    const start = { x: finger.x, y: finger.y };
    [finger.x, finger.y, finger.way] = [event.clientX, event.clientY, finger.way + Math.hypot(dx, dy)];
    if (fingers.size === 1) {
      if (holds && button === null && finger.way > TAP) press(0, start);
      send('pointermove', { ...finger, dx, dy });
    } else if (fingers.size === 2 && button === 2) {
      send('pointermove', { ...middle(), dx: dx / 2, dy: dy / 2 });
      const now = [...fingers.values()];
      const doubled = Math.log2(apart(now) / apart(before));
      const wheel = { bubbles: true, cancelable: true, deltaY: -DOUBLE * doubled, deltaMode: 0, clientX: finger.x, clientY: finger.y };
      canvas.dispatchEvent(new WheelEvent('wheel', wheel));
    }
  };
  const up = event => {
    const finger = fingers.get(event.pointerId);
    if (!fingers.delete(event.pointerId)) return;
    if (button !== null) {
      release(finger);
    } else if (fingers.size === 0 && finger.way <= TAP && event.type === 'pointerup') {
      press(0, finger);
      // A frame must see the button down.
      setTimeout(() => release(finger), 60);
    }
    // What is left of two fingers is no finger that points.
    if (fingers.size > 0) fingers.forEach(left => (left.way = Infinity));
  };
  const middle = () => {
    const all = [...fingers.values()];
    const mean = of => all.reduce((sum, finger) => sum + finger[of], 0) / all.length;
    return { x: mean('x'), y: mean('y') };
  };
  const apart = ([one, other]) => Math.max(Math.hypot(one.x - other.x, one.y - other.y), 1);

  const listen = (kind, answer) => canvas.addEventListener(kind, event => {
    if (event.pointerType !== 'touch') return;
    event.stopImmediatePropagation();
    event.preventDefault();
    canvas.focus();
    answer?.(event);
  }, { capture: true });
  listen('pointerdown', down);
  listen('pointermove', move);
  listen('pointerup', up);
  listen('pointercancel', up);
  listen('pointerover');
  listen('pointerout');
}

/** The button for fingers that point. */
export function holdButton() {
  const button = document.createElement('button');
  const show = () => {
    button.textContent = holds ? 'A finger pulls' : 'A finger points';
    button.setAttribute('aria-pressed', holds);
  };
  button.addEventListener('click', () => {
    holds = !holds;
    show();
  });
  show();
  return button;
}
