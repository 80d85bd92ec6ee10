// Uses a page as people do, and writes what came of it into the document.
(async () => {
const results = {};
const byID = id => document.getElementById(id);
const view = byID('view'), body = byID('body'), card = byID('card'), root = document.documentElement.dataset;
const show = x => JSON.stringify(x);
function check(what, got, want) { results[what] = show(got) === show(want) ? 'ok' : `${show(got)}, want ${show(want)}`; }
// Without a screen there are no frames, and so no events that wait for one.
const frame = () => new Promise(done => setTimeout(() => { view.dispatchEvent(new Event('scroll')); done(); }, 100));
const press = (key, on = body) => on.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
const mouse = (type, on, more) => on.dispatchEvent(new PointerEvent(type, {bubbles: true, cancelable: true, pointerType: 'mouse', pointerId: 1, button: 0, ...more}));
const known = () => Object.fromEntries([...card.querySelectorAll('dt')].map(e => [e.textContent, e.nextSibling.textContent]));
const active = () => body.getAttribute('aria-activedescendant');
const height = () => byID(document.querySelector('.step').id).offsetHeight;
Element.prototype.setPointerCapture = () => {}; // of a pointer that does not exist

check('at first', [root.lanes, root.steps, root.all, byID('show-all').checked], ['8', '21', 'false', false]);
check('card at first', card.hidden, true);
check('switch', document.querySelector('.switch span').textContent, 'worker-1 stopped here, worker-2 runs');
check('mark', [...document.querySelectorAll('.mark.conflict')].filter(e => e.closest('.step')).map(e => e.textContent), ['◀ conflict']);

byID('show-all').click();
check('all steps', [root.steps, root.all], ['200', 'true']);
press('a');
check('toggle by key', [root.steps, root.all, byID('show-all').checked], ['21', 'false', false]);

mouse('pointerover', byID('step-10'));
check('hover', known(), {step: '11', goroutine: 'worker-3', operation: 'Mutex.Lock', object: 'mu#10', value: '→ 3', place: 'lifecycle/store.go:10', function: 'lifecycle.(*Store).Add', stack: 'lifecycle.(*Store).Add lifecycle/store.go:10\nmain.main <b>main.go:3'});
mouse('pointerleave', byID('rows'));
check('hover ends', card.hidden, true);

body.focus();
press('ArrowDown');
press('ArrowDown');
check('arrow down', [active(), known().step, card.hidden], ['step-10', '11', false]);
press('ArrowUp');
check('arrow up', active(), 'step-0');
press('n');
check('next mark', [active(), known().marks], ['step-101', '◀ conflict, ■ stopped']);
press('End');
check('end', active(), 'step-190');
press('Home');
check('home', active(), 'step-0');
press('ArrowRight');
check('same goroutine', [active(), known().goroutine], ['step-50', 'worker-0']);
press('ArrowLeft');
check('same goroutine, back', active(), 'step-0');
press('PageDown');
check('page down', Number(active().slice(5)) > 50, true);
press('Enter');
byID('copy').focus();
check('pinned', [card.hidden, card.className], [false, 'pinned']);
press('Escape', document.body);
check('let go', card.hidden, true);

const wheel = (ctrlKey, deltaY) => {
  const e = new WheelEvent('wheel', {ctrlKey, deltaY, clientX: 300, clientY: 300, bubbles: true, cancelable: true});
  view.dispatchEvent(e);
  return e.defaultPrevented;
};
check('wheel alone scrolls', [wheel(false, -100), root.zoom], [false, '1']);
check('wheel zooms', [wheel(true, -100), Number(root.zoom) > 1.3, height() > 35], [true, true, true]);
byID('reset').click();
check('original size', [root.zoom, byID('size').textContent, height()], ['1', '100 %', 28]);
byID('out').click();
byID('out').click();
byID('out').click();
check('zoom out', [height() < 15, view.classList.contains('dense')], [true, true]);
byID('in').click();
check('zoom in', height() > 15, true);
press('0');

byID('show-all').click();
byID('fit').click();
await frame();
check('fit', [view.scrollHeight <= view.clientHeight, document.querySelectorAll('.step').length], [true, 200]);
press('0');
view.scrollTop = 0;
await frame();
mouse('pointerdown', byID('step-5'), {clientX: 300, clientY: 400});
mouse('pointermove', view, {clientX: 300, clientY: 150});
await frame();
mouse('pointerup', view, {clientX: 300, clientY: 150});
mouse('click', byID('step-9'));
check('drag', [view.scrollTop, active() === 'step-9'], [250, false]);
mouse('pointerdown', byID('step-12'), {clientX: 300, clientY: 150});
mouse('pointerup', byID('step-12'), {clientX: 300, clientY: 150});
mouse('click', byID('step-12'));
check('click', [active(), card.className, known().step], ['step-12', 'pinned', '13']);
view.scrollTop = 3000;
await frame();
check('far steps', [document.getElementById('step-106') !== null, document.getElementById('step-40')], [true, null]);

let written = '';
const clipboard = writeText => Object.defineProperty(navigator, 'clipboard', {value: {writeText}, configurable: true});
clipboard(async text => { written = text; });
byID('copy').click();
await frame();
check('copy', [written, byID('copied').textContent], ['jacquard replay long jq1-card', 'copied']);
clipboard(async () => { throw new Error('not allowed'); });
document.execCommand = () => false;
byID('copy').click();
await frame();
check('copy by hand', [String(getSelection()), byID('copied').textContent], ['jacquard replay long jq1-card', 'selected: copy it with Ctrl + C']);
location.hash = '#step=100&zoom=200';
await frame();
check('address', [active(), root.zoom, root.all], ['step-99', '2', 'true']);

const pre = document.createElement('pre');
pre.id = 'result';
pre.textContent = JSON.stringify(results);
document.body.append(pre);
})();
