// Buttons for the keys of a scene, from the help that it shows.
import { holdButton } from './fingers.js';

const NAMES = {
  Up: 'ArrowUp', Down: 'ArrowDown', Left: 'ArrowLeft', Right: 'ArrowRight', Shift: 'ShiftLeft', Space: 'Space', Tab: 'Tab',
  Escape: 'Escape', Enter: 'Enter', PgUp: 'PageUp', PgDn: 'PageDown',
};

/** The keys in a line of the help: "Q, Up, E" are three, "1 to 4" are four, and "arrows" are four too. */
export function keysIn(text) {
  const range = text.match(/^(\d) to (\d)$/);
  if (range) {
    const [from, to] = range.slice(1).map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
  }
  if (/^arrows/i.test(text)) return ['Up', 'Down', 'Left', 'Right'];
  // Of the mouse: fingers do that.
  if (/drag|click|wheel/i.test(text)) return [];
  return text.split(/,? | and /).filter(word => codeOf(word));
}

/** What a browser calls a key. */
function codeOf(name) {
  if (/^[A-Z]$/.test(name)) return `Key${name}`;
  if (/^\d$/.test(name)) return `Digit${name}`;
  if (/^F\d+$/.test(name)) return name;
  return NAMES[name];
}

/** Shows a button for each key of the help, which has the lines `key\taction`. */
export function showKeys(canvas, lines) {
  const bar = document.getElementById('keys');
  const buttons = lines.flatMap(line => {
    const [text, action] = line.split('\t');
    return keysIn(text).map((name, i) => keyButton(canvas, name, i === 0 ? action : ''));
  });
  bar.replaceChildren(holdButton(), ...buttons);
  const opener = document.getElementById('open-keys');
  if (opener.hidden) {
    opener.hidden = false;
    opener.addEventListener('click', () => (bar.hidden = !bar.hidden));
    bar.hidden = !matchMedia('(pointer: coarse)').matches;
  }
}

function keyButton(canvas, name, action) {
  const button = document.createElement('button');
  const key = document.createElement('b');
  key.textContent = name;
  button.append(key, action && ` ${action}`);
  const send = kind => {
    const of = { code: codeOf(name), key: name.length === 1 ? name.toLowerCase() : codeOf(name).replace('Left', ''), bubbles: true, cancelable: true };
    canvas.dispatchEvent(new KeyboardEvent(kind, of));
  };
  button.addEventListener('pointerdown', event => {
    event.preventDefault();
    button.setPointerCapture(event.pointerId);
    canvas.focus();
    send('keydown');
  });
  for (const end of ['pointerup', 'pointercancel']) button.addEventListener(end, () => send('keyup'));
  button.addEventListener('contextmenu', event => event.preventDefault());
  return button;
}
