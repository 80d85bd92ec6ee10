(() => {
"use strict";
const make = (tag, name, text) => {
  const e = document.createElement(tag);
  if (name) e.className = name;
  if (text !== undefined) e.textContent = text;
  return e;
};

// A place is "file:line"; a frame has a function and a blank before it.
const placeOf = frame => {
  const at = frame.slice(frame.lastIndexOf(" ") + 1), i = at.lastIndexOf(":");
  return i < 0 ? null : { file: at.slice(0, i), line: +at.slice(i + 1) };
};

const words = /(\/\/.*$)|("(?:[^"\\]|\\.)*"|`[^`]*`|'(?:[^'\\]|\\.)*')|\b(break|case|chan|const|continue|default|defer|else|fallthrough|for|func|go|goto|if|import|interface|map|package|range|return|select|struct|switch|type|var)\b/g;
const coloured = (into, text) => {
  let last = 0;
  for (const m of text.matchAll(words)) {
    into.append(text.slice(last, m.index), make("span", m[1] ? "c" : m[2] ? "s" : "k", m[0]));
    last = m.index + m[0].length;
  }
  into.append(text.slice(last));
};

const narrow = matchMedia("(max-width: 700px)").matches;

// excerpt is the lines of a source around a place; nothing if the page does not have it.
const excerpt = (sources, place, reach, also = []) => {
  const part = place && (sources || []).find(f => f.file === place.file && place.line >= f.first && place.line < f.first + f.lines.length);
  if (!part) return null;
  const box = make("div", "source");
  for (let n = Math.max(part.first, place.line - reach); n <= Math.min(part.first + part.lines.length - 1, place.line + reach); n++) {
    const line = make("div", n === place.line ? "here" : also.includes(n) ? "also" : "");
    const code = make("code");
    coloured(code, part.lines[n - part.first]);
    line.append(make("i", "", n), code);
    box.append(line);
  }
  return box;
};

class Failure {
  constructor(section) {
    this.section = section;
    this.table = section.querySelector(".steps");
    this.pane = section.querySelector(".pane");
    this.data = JSON.parse(section.querySelector(".data").textContent);
    this.rows = [...section.querySelectorAll("tr.step")];
    this.at = -1;
    this.frame = 0;
    section.querySelector(".tools").hidden = false;
    section.querySelector(".prev").onclick = () => this.move(-1);
    section.querySelector(".next").onclick = () => this.move(1);
    this.all = section.querySelector(".all");
    if (this.all) this.all.onchange = () => { this.table.classList.toggle("everything", this.all.checked); this.count(); };
    for (const row of this.rows) row.onclick = () => this.select(+row.dataset.at);
    for (const box of section.querySelectorAll(".accesses .box")) {
      const frame = box.querySelector("code"), source = frame && excerpt(this.data.sources, placeOf(frame.textContent), 3);
      if (source) box.append(source);
    }
    this.count();
  }
  shown() { return this.rows.filter(r => !r.classList.contains("aside") || this.table.classList.contains("everything")); }
  count() {
    const all = this.shown(), i = all.findIndex(r => +r.dataset.at === this.at);
    this.section.querySelector(".count").textContent = i < 0 ? `${all.length} steps` : `${i + 1} of ${all.length}`;
    this.table.hidden = !all.length;
  }
  // move goes to the next row that is wanted, in a direction.
  move(by, wanted = () => true) {
    const all = this.shown().map(r => +r.dataset.at);
    const ahead = all.filter(at => (this.at < 0 ? by > 0 : by > 0 ? at > this.at : at < this.at) && wanted(this.data.steps[at]));
    if (ahead.length) this.select(by > 0 ? ahead[0] : ahead[ahead.length - 1]);
  }
  toggleAll() { if (this.all) { this.all.checked = !this.all.checked; this.all.onchange(); } }
  caller() {
    const s = this.data.steps[this.at];
    if (s && s.stack && s.stack.length > 1) { this.frame = (this.frame + 1) % s.stack.length; this.draw(); }
  }
  select(at, quiet) {
    this.at = at;
    this.frame = 0;
    current = this;
    for (const r of this.rows) r.classList.toggle("on", +r.dataset.at === at);
    const row = this.rows.find(r => +r.dataset.at === at);
    if (row.classList.contains("aside") && !this.table.classList.contains("everything")) this.toggleAll();
    this.section.querySelector(".sides").classList.add("open");
    this.draw();
    this.count();
    if (!quiet) {
      row.scrollIntoView({ block: "nearest" });
      history.replaceState(null, "", "#" + row.id);
    }
  }
  draw() {
    const s = this.data.steps[this.at], p = this.pane;
    p.hidden = false;
    p.replaceChildren();
    p.append(make("h4", "", `Step ${s.n} · ${this.data.threads[s.t]}`), make("code", "", s.what + (s.met ? ` (${s.met})` : "")));
    const frames = s.stack && s.stack.length ? s.stack : s.at ? [(s.func ? s.func + " " : "") + s.at] : [];
    if (frames.length) {
      const stack = make("div", "stack");
      frames.forEach((f, i) => {
        const b = make("button", "", f);
        b.type = "button";
        b.setAttribute("aria-pressed", i === this.frame);
        b.onclick = () => { this.frame = i; this.draw(); };
        stack.append(b);
      });
      p.append(make("h5", "", "Stack"), stack);
      this.source(placeOf(frames[this.frame]));
    }
    this.holds();
  }
  // source shows the lines around a place, with those that other goroutines are at.
  source(place) {
    const also = this.now().filter(s => s && s.at).map(s => placeOf(s.at)).filter(q => q && place && q.file === place.file).map(q => q.line);
    const box = excerpt(this.data.sources, place, narrow ? 4 : 8, also);
    if (box) this.pane.append(box); else if (place) this.pane.append(make("p", "faint", `The source of ${place.file} is not in this page.`));
  }
  // now is the latest step of each goroutine.
  now() {
    const last = [];
    for (const s of this.data.steps.slice(0, this.at + 1)) last[s.t] = s;
    return this.data.threads.map((_, i) => last[i]);
  }
  holds() {
    const table = make("table", "holds"), now = this.now();
    now.forEach((s, i) => {
      if (!s) return;
      const row = make("tr", "c" + i % 8), what = make("td");
      row.append(make("td", "", this.data.threads[i]), what);
      if (s.holds) what.append("holds ", ...s.holds.flatMap((h, k) => [k ? ", " : "", make("b", "", h)]));
      if (s.met && s.met.startsWith("blocked")) what.append(s.holds ? ", waits at " : "waits at ", make("b", "", s.what), s.met.length > 8 ? ` (${s.met})` : "");
      if (!what.childNodes.length) { what.append("holds no lock"); what.className = "faint"; }
      table.append(row);
    });
    this.pane.append(make("h5", "", "After this step"), table);
  }
}

const failures = [...document.querySelectorAll("section.failure")].filter(s => s.querySelector(".data")).map(s => new Failure(s));
let current = failures[0];

const open = () => {
  const [id, n] = location.hash.slice(1).split(".");
  const f = failures.find(f => f.section.id === id);
  if (!f) return;
  current = f;
  const row = n && document.getElementById(id + "." + n);
  if (row) f.select(+row.dataset.at); else f.section.scrollIntoView();
};
addEventListener("hashchange", open);
open();
for (const f of failures) {
  if (f.at >= 0) continue;
  const marked = f.data.steps.findIndex(s => s.mark), first = f.shown()[0];
  if (marked >= 0 || first) f.select(marked >= 0 ? marked : +first.dataset.at, true);
}
if (!location.hash) current = failures[0]; else open();

const keys = {
  j: f => f.move(1), k: f => f.move(-1), ArrowDown: f => f.move(1), ArrowUp: f => f.move(-1),
  l: f => f.move(1, s => s.t === f.data.steps[f.at].t), h: f => f.move(-1, s => s.t === f.data.steps[f.at].t),
  n: f => f.move(1, s => s.mark), p: f => f.move(-1, s => s.mark), s: f => f.caller(), a: f => f.toggleAll(),
  "]": f => other(f, 1), "[": f => other(f, -1),
};
const other = (f, by) => {
  const next = failures[failures.indexOf(f) + by];
  if (next) { current = next; next.section.scrollIntoView(); history.replaceState(null, "", "#" + next.section.id); }
};
addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey || !current || /INPUT|TEXTAREA/.test(e.target.tagName) && e.target.type !== "checkbox" || !keys[e.key]) return;
  if (e.key.startsWith("Arrow") && !e.target.closest(".failure")) return; // it scrolls
  e.preventDefault();
  keys[e.key](current);
});
for (const e of document.querySelectorAll(".keys")) e.hidden = !failures.length;
for (const b of document.querySelectorAll(".copy")) {
  b.hidden = !navigator.clipboard;
  b.onclick = () => navigator.clipboard.writeText(b.previousElementSibling.textContent).then(() => { b.textContent = "copied"; });
}
})();
