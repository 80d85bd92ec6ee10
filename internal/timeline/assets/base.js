'use strict';

// What goes wrong is shown, and counted where a test can read it.
const root = document.documentElement;
root.dataset.errors = '0';
function trouble(message) {
  root.dataset.errors = String(Number(root.dataset.errors) + 1);
  const place = document.getElementById('trouble');
  place.hidden = false;
  place.textContent += 'This page does not work as it should: ' + message + '. ';
}
window.addEventListener('error', e => trouble(e.message));
window.addEventListener('unhandledrejection', e => trouble(String(e.reason)));
document.addEventListener('securitypolicyviolation', e => trouble('blocked by ' + e.violatedDirective));

const byID = id => document.getElementById(id);
const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

// make returns an element; texts become text and never markup.
function make(tag, className, ...children) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  e.append(...children);
  return e;
}

// place puts an element at a rectangle in pixels.
function place(e, left, top, width, height) {
  e.style.left = left + 'px';
  e.style.top = top + 'px';
  if (width !== undefined) e.style.width = width + 'px';
  if (height !== undefined) e.style.height = height + 'px';
  return e;
}

const copy = byID('copy');
if (copy) {
  copy.hidden = false;
  copy.addEventListener('click', async () => {
    getSelection().selectAllChildren(byID('replay'));
    let done = false;
    try {
      await navigator.clipboard.writeText(byID('replay').textContent);
      done = true;
    } catch {
      done = document.execCommand('copy');
    }
    byID('copied').textContent = done ? 'copied' : 'selected: copy it with Ctrl + C';
  });
}

const source = byID('chart');
if (!source) return;
const chart = JSON.parse(source.textContent);
const text = n => chart.texts[n];
