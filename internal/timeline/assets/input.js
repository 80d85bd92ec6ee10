// zoomTo keeps what is at (x, y) of the view where it is.
function zoomTo(z, x = view.clientWidth / 2, y = view.clientHeight / 2) {
  const rowAt = (view.scrollTop + y - head.offsetHeight) / height;
  const share = (view.scrollLeft + x) / view.scrollWidth;
  zoom = clamp(z, .05, 2.5);
  arrange();
  view.scrollTop = rowAt * height - y + head.offsetHeight;
  view.scrollLeft = share * view.scrollWidth - x;
  draw();
}

function fit() {
  const room = innerHeight * .76 - head.offsetHeight - 4; // as in the style, without its border
  zoomTo(Math.min(1, room / (rows.length * ROW)));
}

function showAll(on) {
  all = byID('show-all').checked = on;
  choose();
  arrange();
  if (active >= 0) go(active);
}

// go makes a step the active one and brings it into view.
function go(i) {
  if (i < 0) return;
  active = i;
  hovered = -1;
  const top = rowOf[i] * height, t = threads[steps[i].thread], room = view.clientHeight - head.offsetHeight;
  if (top < view.scrollTop) view.scrollTop = top - height;
  if (top + height > view.scrollTop + room) view.scrollTop = top + 2 * height - room;
  if (t.left - GUTTER < view.scrollLeft) view.scrollLeft = t.left - GUTTER;
  else if (t.left + t.width > view.scrollLeft + view.clientWidth) view.scrollLeft = t.left + t.width - view.clientWidth;
  draw();
}

// seek finds the next step in a direction that is fit, from the active one.
function seek(direction, fits = () => true) {
  let r = active >= 0 ? rowOf[active] + direction : direction > 0 ? 0 : rows.length - 1;
  for (; r >= 0 && r < rows.length; r += direction) {
    if (rows[r].step >= 0 && fits(steps[rows[r].step])) return rows[r].step;
  }
  return active;
}

// far moves by some rows at once.
function far(by) {
  for (let n = Math.abs(by); n > 0; n--) active = seek(Math.sign(by));
  return active;
}

const marked = s => (s.bits & ANY) !== 0;
const sameThread = s => active < 0 || s.thread === steps[active].thread;
const page = () => Math.max(1, Math.floor((view.clientHeight - head.offsetHeight) / height) - 1);
const keys = {
  ArrowDown: () => go(seek(1)), ArrowUp: () => go(seek(-1)),
  ArrowRight: () => go(seek(1, sameThread)), ArrowLeft: () => go(seek(-1, sameThread)),
  PageDown: () => go(far(page())), PageUp: () => go(far(-page())),
  Home: () => { active = -1; go(seek(1)); }, End: () => { active = -1; go(seek(-1)); },
  n: () => go(seek(1, marked)), p: () => go(seek(-1, marked)),
  '+': () => zoomTo(zoom * 1.25), '=': () => zoomTo(zoom * 1.25), '-': () => zoomTo(zoom / 1.25),
  0: () => zoomTo(1), f: fit, a: () => showAll(!all),
  Enter: () => { pinned = active >= 0 && !pinned; draw(); }, ' ': () => keys.Enter(),
  Escape: () => { pinned = false; hovered = -1; if (card.hidden) active = -1; draw(); },
};

body.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || !Object.hasOwn(keys, e.key)) return;
  e.preventDefault();
  keys[e.key]();
});
document.addEventListener('keydown', e => { if (e.key === 'Escape' && pinned) keys.Escape(); });
// Not draw: a click does not arrive if its element goes while the button is down.
for (const name of ['focus', 'blur']) body.addEventListener(name, explain);

const buttons = {
  in: () => zoomTo(zoom * 1.25), out: () => zoomTo(zoom / 1.25), fit, reset: () => zoomTo(1),
  next: keys.n, before: keys.p,
};
for (const [id, act] of Object.entries(buttons)) {
  byID(id).addEventListener('click', () => {
    if (id === 'next' || id === 'before') body.focus({preventScroll: true});
    act();
  });
}
byID('show-all').addEventListener('change', e => showAll(e.target.checked));

view.addEventListener('wheel', e => {
  if (!e.ctrlKey && !e.metaKey) return;
  e.preventDefault();
  const at = view.getBoundingClientRect();
  zoomTo(zoom * Math.exp(-clamp(e.deltaY, -100, 100) / 300), e.clientX - at.left, e.clientY - at.top);
}, {passive: false});

view.addEventListener('scroll', draw); // the browser sends one a frame
window.addEventListener('scroll', () => explain());
window.addEventListener('resize', arrange);

let held = null, dragged = false; // where the mouse went down
view.addEventListener('pointerdown', e => {
  const at = view.getBoundingClientRect();
  const onBar = e.clientX - at.left > view.clientWidth || e.clientY - at.top > view.clientHeight;
  dragged = false;
  if (e.button === 0 && e.pointerType === 'mouse' && !onBar) {
    held = {x: e.clientX, y: e.clientY, left: view.scrollLeft, top: view.scrollTop};
  }
});
view.addEventListener('pointermove', e => {
  if (!held) return;
  const dx = e.clientX - held.x, dy = e.clientY - held.y;
  if (!dragged && Math.hypot(dx, dy) < 5) return;
  if (!dragged) view.setPointerCapture(e.pointerId);
  dragged = true;
  view.classList.add('dragging');
  view.scrollTo(held.left - dx, held.top - dy);
});
for (const name of ['pointerup', 'pointercancel']) {
  view.addEventListener(name, () => { held = null; view.classList.remove('dragging'); });
}
view.addEventListener('click', e => {
  if (dragged) return;
  const e2 = e.target.closest('.step');
  const i = e2 ? Number(e2.dataset.step) : -1;
  pinned = i >= 0 && !(pinned && i === active);
  active = i;
  body.focus({preventScroll: true});
  draw();
});
byID('rows').addEventListener('pointerover', e => {
  const e2 = e.target.closest('.step');
  hovered = e2 && !dragged ? Number(e2.dataset.step) : -1;
  explain();
});
byID('rows').addEventListener('pointerleave', () => { hovered = -1; explain(); });

// obey reads the part of the address after "#".
function obey() {
  const wish = new URLSearchParams(location.hash.slice(1));
  if (wish.has('zoom')) zoom = clamp(Number(wish.get('zoom')) / 100 || 1, .05, 2.5);
  const i = wish.has('step') ? steps.findIndex(s => s.index === Number(wish.get('step'))) : -1;
  showAll(wish.has('all') || i >= 0 && !(steps[i].bits & SHOWN));
  if (i >= 0) {
    pinned = true;
    go(i);
  }
}
window.addEventListener('hashchange', obey);

for (const e of [view, ...document.querySelectorAll('.tools, .legend, .keys')]) e.hidden = false;
obey();
root.dataset.ready = 'true';
