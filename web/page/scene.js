// Loads the scenes and starts the one that the address names.
import start from './scenes.js';
import { letFingersBeAMouse } from './fingers.js';
import { showKeys } from './keys.js';

const canvas = document.getElementById('scene');
const news = document.getElementById('news');
const words = location.search.slice(1).split('&');

/** Says what went wrong. */
function tell(problem) {
  news.textContent = problem;
  news.hidden = false;
}

/** The smallest packing that this browser unpacks: every browser with WebGL2 and SIMD knows gzip. */
function packing() {
  try {
    new DecompressionStream('brotli');
    return 'brotli';
  } catch {
    return 'gzip';
  }
}

/** The program, unpacked while it comes. */
async function fetchProgram() {
  const packed = packing();
  const answer = await fetch(`scenes.wasm.${packed}`);
  if (!answer.ok) throw new Error(`The scenes did not come: ${answer.status} ${answer.statusText}`);
  const bar = news.querySelector('progress');
  const length = Number(answer.headers.get('content-length'));
  let come = 0;
  const count = new TransformStream({
    transform(part, to) {
      come += part.length;
      if (length) bar.value = come / length;
      to.enqueue(part);
    },
  });
  const program = answer.body.pipeThrough(count).pipeThrough(new DecompressionStream(packed));
  return new Response(program, { headers: { 'content-type': 'application/wasm' } });
}

/** A browser plays no sound before the reader has clicked or pressed a key. */
function soundAfterClick() {
  const contexts = [];
  globalThis.AudioContext = class extends AudioContext {
    constructor(...options) {
      super(...options);
      contexts.push(this);
    }
  };
  const resume = () => contexts.filter(context => context.state === 'suspended').forEach(context => context.resume());
  for (const action of ['pointerup', 'keydown']) addEventListener(action, resume, { capture: true });
}

function hasWebGl2() {
  return document.createElement('canvas').getContext('webgl2') !== null;
}

async function main() {
  document.title = words[0];
  if (!words.includes('headless') && !hasWebGl2()) {
    tell('This browser has no WebGL2, with which the scenes are drawn. Newer ones have it; some need it switched on.');
    return;
  }
  addEventListener('error', event => tell(`The scene has stopped. The browser's console says why.\n${event.message}`));
  addEventListener('hashchange', () => location.reload());
  soundAfterClick();
  // The keys of plain scenes; the others call this when they have keys of their own.
  showKeys(canvas, ['Space\tthrow', 'R\tagain']);
  globalThis.page = { showKeys: lines => showKeys(canvas, lines) };
  letFingersBeAMouse(canvas, words[0] === 'billiards');
  try {
    await start({ module_or_path: fetchProgram() });
    news.hidden = true;
    canvas.focus();
  } catch (problem) {
    tell(problem.message ?? String(problem));
    throw problem;
  }
}

main();
