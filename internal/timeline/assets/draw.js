// Bits of a step.
const CONFLICT = 1, RESUMED = 2, FAILED = 4, STOPPED = 8, ANY = 15, SHOWN = 16;
const marks = [[CONFLICT, 'conflict', '◀', 'conflict'], [RESUMED, 'resumed', '↩', 'resumed'],
  [FAILED, 'failed', '✗', 'failed'], [STOPPED, 'stopped', '■', 'stopped']];

const steps = chart.steps.map(s => ({
  index: s[0], thread: s[1], op: text(s[2]), object: text(s[3]), value: text(s[4]), outcome: text(s[5]),
  where: text(s[6]), func: text(s[7]), bits: s[8], stack: s[9] ? chart.stacks[s[9] - 1].map(text) : [],
}));
const threads = chart.threads.map(([name, by, where], i) => ({
  name: text(name), by: text(by), where: text(where), color: `var(--c${i % 8})`,
}));

const ROW = 28, GUTTER = 54, IDLE = 68, NARROW = 26, TALLEST = 8e6; // pixels
const DENSE = 15; // rows below this height have no room for text

const view = byID('view'), head = byID('head'), body = byID('body'), card = byID('card');
let all = false, zoom = 1;
let rows = [];     // {step} or {from, to}, from top to bottom
let rowOf = [];    // step → row
let height = ROW;  // of a row
let active = -1, hovered = -1, pinned = false; // steps

// choose picks the rows, and finds the first and the last of each thread.
function choose() {
  rows = [];
  rowOf = steps.map(() => -1);
  for (const t of threads) t.first = t.last = -1;
  let next = 0;
  for (let i = 0; i <= steps.length; i++) {
    for (; next < chart.switches.length && chart.switches[next][0] === i; next++) {
      rows.push({step: -1, from: chart.switches[next][1], to: chart.switches[next][2]});
    }
    if (i === steps.length || !(all || steps[i].bits & SHOWN)) continue;
    const t = threads[steps[i].thread];
    if (t.first < 0) t.first = rows.length;
    t.last = rowOf[i] = rows.length;
    rows.push({step: i});
  }
  if (active >= 0 && rowOf[active] < 0) active = -1;
}

// arrange gives rows their height and lanes their place, and draws the lanes.
function arrange() {
  height = Math.min(clamp(ROW * zoom, 2, 72), TALLEST / Math.max(rows.length, 1));
  view.classList.toggle('dense', height < DENSE);
  view.style.setProperty('--font', clamp(height * .46, 9, 19).toFixed(1) + 'px');
  const busy = threads.filter(t => t.first >= 0).length || 1;
  const share = (view.clientWidth - GUTTER - IDLE * (threads.length - busy)) / busy;
  const base = clamp(share, 190, 620);
  const width = Math.floor(Math.max(NARROW, zoom < 1 ? Math.max(Math.min(base, share), base * zoom) : base * zoom));
  let left = GUTTER;
  const cells = [place(make('div', 'corner', '#'), 0, 0)], lanes = [];
  for (const t of threads) {
    t.left = left;
    t.width = t.first < 0 ? IDLE : width;
    left += t.width;
    const cell = place(make('div', t.first < 0 ? 'idle' : '', make('strong', '', t.name)), t.left, 0, t.width);
    const origin = [t.by && 'by ' + t.by, t.where].filter(Boolean).join(', ');
    if (origin) cell.append(make('small', '', origin));
    cell.title = [t.name, origin, t.first < 0 && 'no step that matters'].filter(Boolean).join('\n');
    cell.style.setProperty('--c', t.color);
    cells.push(cell);
    const lane = place(make('div', ''), t.left, 0, t.width);
    if (t.first >= 0) {
      const life = make('i', '');
      place(life, 0, t.first * height, undefined, (t.last - t.first + 1) * height);
      lane.style.setProperty('--c', t.color);
      lane.append(life);
    }
    lanes.push(lane);
  }
  head.replaceChildren(...cells);
  byID('lanes').replaceChildren(...lanes);
  head.style.width = body.style.width = left + 'px';
  body.style.height = rows.length * height + 'px';
  byID('size').textContent = Math.round(zoom * 100) + ' %';
  const shown = steps.filter(s => s.bits & SHOWN).length;
  byID('count').textContent = `all ${steps.length} steps (${shown} matter${shown === 1 ? 's' : ''})`;
  Object.assign(root.dataset, {lanes: threads.length, steps: rows.filter(r => r.step >= 0).length, all, zoom});
  draw();
}

// draw makes the elements of the rows in view, and of the active one.
function draw() {
  const spare = 10;
  const first = clamp(Math.floor(view.scrollTop / height) - spare, 0, rows.length);
  const last = clamp(Math.ceil((view.scrollTop + view.clientHeight) / height) + spare, 0, rows.length);
  const drawn = [], numbers = [];
  const every = Math.max(1, Math.ceil(DENSE / height));
  for (let r = first; r < last; r++) {
    drawn.push(rows[r].step < 0 ? switchAt(r) : stepAt(r));
    if (rows[r].step >= 0 && r % every === 0) {
      const n = make('div', '', String(steps[rows[r].step].index));
      n.style.top = clamp((r + .5) * height, 8, rows.length * height - 8) + 'px'; // not cut off at an end
      numbers.push(n);
    }
  }
  const row = active < 0 ? -1 : rowOf[active];
  if (row >= 0 && (row < first || row >= last)) drawn.push(stepAt(row));
  byID('rows').replaceChildren(...drawn);
  byID('gutter').replaceChildren(...numbers);
  if (active < 0) body.removeAttribute('aria-activedescendant');
  else body.setAttribute('aria-activedescendant', 'step-' + active);
  explain();
}

function stepAt(r) {
  const i = rows[r].step, s = steps[i], t = threads[s.thread];
  const e = make('div', 'step');
  place(e, t.left, r * height, t.width, height);
  e.style.setProperty('--c', t.color);
  e.id = 'step-' + i;
  e.dataset.step = i;
  e.setAttribute('role', 'option');
  e.setAttribute('aria-selected', String(i === active));
  e.setAttribute('aria-setsize', String(rows.length));
  e.setAttribute('aria-posinset', String(r + 1));
  e.classList.toggle('active', i === active);
  e.classList.toggle('marked', (s.bits & ANY) !== 0);
  e.classList.toggle('aside', !(s.bits & SHOWN));
  const what = make('span', 'what');
  for (const [name, part] of [['op', s.op], ['object', s.object], ['value', s.value], ['outcome', s.outcome && `(${s.outcome})`]]) {
    if (part) what.append(make('span', name, part), ' ');
  }
  e.append(what);
  for (const [bit, name, sign, word] of marks) {
    if (s.bits & bit) e.append(make('span', 'mark ' + name, sign, make('span', 'word', ' ' + word)));
  }
  if (s.where) {
    const base = s.where.slice(s.where.lastIndexOf('/') + 1), colon = base.lastIndexOf(':');
    const cut = colon < 0 ? base.length : colon; // the line number stays when room is short
    const where = make('span', 'where', make('span', '', base.slice(0, cut)), make('b', '', base.slice(cut)));
    where.style.minWidth = base.length - cut + 'ch';
    e.append(where);
  }
  e.setAttribute('aria-label', `${s.index}, ${t.name}: ${e.textContent}`);
  return e;
}

// switchAt draws a preemption as a line from one lane to the other.
function switchAt(r) {
  const from = threads[rows[r].from], to = rows[r].to < 0 ? from : threads[rows[r].to];
  const left = Math.min(from.left, to.left) + 2, width = Math.abs(to.left - from.left);
  const e = place(make('div', 'switch'), left, r * height, width, height);
  const start = make('b', '', '■'), label = make('span', '', from.name + ' stopped here');
  start.style.left = (from.left <= to.left ? 0 : width) + 'px';
  e.append(make('i', ''), start);
  if (rows[r].to >= 0) {
    const tip = make('b', '', '▼');
    tip.style.left = (from.left <= to.left ? width : 0) + 'px';
    e.append(tip);
    label.append(`, ${to.name} runs`);
  }
  e.append(label);
  label.title = label.textContent;
  beside(label, left, width);
  return e;
}

// beside puts a label that has no room on its line to the side with most room.
function beside(label, left, width) {
  const need = label.textContent.length * 7 + 12; // about
  const inside = width - 28, ahead = left - GUTTER - 14, after = body.clientWidth - left - width - 14;
  if (inside >= need || inside >= Math.max(ahead, after)) return;
  label.className = after >= Math.min(need, ahead) ? 'after' : 'ahead';
  label.style.maxWidth = (label.className === 'after' ? after : ahead) + 'px';
}

// explain shows the card of the pinned, hovered or focused step.
function explain() {
  const focused = document.activeElement === body;
  const i = pinned ? active : hovered >= 0 ? hovered : focused ? active : -1;
  const target = i < 0 ? null : byID('step-' + i);
  card.hidden = !target;
  card.classList.toggle('pinned', pinned);
  if (!target) return;
  const s = steps[i], t = threads[s.thread], list = make('dl', '');
  const names = marks.filter(m => s.bits & m[0]).map(m => m[2] + ' ' + m[3]).join(', ');
  for (const [name, value] of [['step', String(s.index)], ['goroutine', t.name], ['operation', s.op], ['object', s.object],
    ['value', s.value], ['outcome', s.outcome], ['marks', names], ['place', s.where], ['function', s.func],
    ['stack', s.stack.join('\n')]]) {
    if (value) list.append(make('dt', '', name), make('dd', '', value));
  }
  card.replaceChildren(list);
  const at = target.getBoundingClientRect(), gap = 6;
  const below = at.bottom + gap + card.offsetHeight <= innerHeight || at.top < card.offsetHeight + gap;
  place(card, clamp(at.left + 24, 4, Math.max(4, innerWidth - card.offsetWidth - 8)),
    below ? at.bottom + gap : at.top - gap - card.offsetHeight);
}
