/* page.js -- the page around the diagram: header, findings, selection, legend, pointer, keys.
 *
 * The part of the address behind # says what to show, so that a link (and a test) can name it: #finding=1, #t=FROM-TO, #theme=dark,
 * #axis=order, #filter=put, #row=17, joined by &.
 */
"use strict";

const meta = JSON.parse(document.getElementById("meta").textContent);
const $ = id => document.getElementById(id);
const wants = new URLSearchParams(location.hash.slice(1));
const rows = new Rows(meta.rows);
const diagram = new Diagram($("diagram"), rows, meta);
diagram.findings = meta.findings;
const hidden = new Set();

function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) key in node ? node[key] = value : node.setAttribute(key, value);
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}
const place = (file, line) => file ? `${file}:${line}` : "place unknown";

/* ---- looking */

let waiting = false;
function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    const start = performance.now();
    diagram.draw();
    drawOverview();
    document.documentElement.dataset.drawn = diagram.detailed ? "rows" : "cells";
    document.documentElement.dataset.frame = Math.ceil(performance.now() - start);
  });
}
function show(x0, x1) {
  const max = diagram.places.max || 1, least = diagram.axis === "time" ? 4 : 2;
  const span = Math.min(Math.max(x1 - x0, least), max * 1.2 + least), middle = (x0 + x1) / 2;
  diagram.x0 = Math.min(Math.max(middle - span / 2, -span * .5), max - span * .5);
  diagram.x1 = diagram.x0 + span;
  redraw();
}
const showAll = () => { const max = diagram.places.max || 1; show(-max * .02, max * 1.03); };
const zoom = (factor, at) => show(at - (at - diagram.x0) * factor, at + (diagram.x1 - at) * factor);
const move = part => { const by = (diagram.x1 - diagram.x0) * part; show(diagram.x0 + by, diagram.x1 + by); };

/* The rows, with room on both sides, and their lanes in sight. */
function showRows(list) {
  const axis = diagram.places, ok = list.filter(i => i >= 0 && i < rows.count);
  if (!ok.length) return;
  const low = Math.min(...ok.map(i => axis.begin[i])), high = Math.max(...ok.map(i => Math.max(axis.end[i], axis.last[i])));
  const span = Math.max(high - low, axis.max * 1e-6, 4);
  show(low - span * .35, high + span * .45);
  const pes = ok.flatMap(i => [rows.pe[i], rows.target[i]]).filter(pe => pe >= 0);
  const middle = (Math.min(...pes) + Math.max(...pes) + 1) / 2 * diagram.lane;
  const rooms = diagram.height - AXIS;
  if (diagram.meta.npes * diagram.lane > rooms) diagram.setTop(middle - rooms / 2);
}

/* ---- the overview strip: where the window lies in the run */

let strip = null;
function drawOverview() {
  const canvas = $("overview"), box = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1, c = canvas.getContext("2d");
  const width = box.width - GUTTER, axis = diagram.places, scale = width / (axis.max * 1.05 || 1), columns = Math.ceil(width / 2);
  canvas.width = box.width * ratio;
  canvas.height = box.height * ratio;
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  const key = [diagram.axis, columns, rows.count, filtered, hidden.size].join();
  if (!strip || strip.key !== key) {
    strip = { key, sums: new Uint32Array(columns) };
    for (let i = 0; i < rows.count; i++) if (rows.shown[i]) strip.sums[axis.begin[i] * scale / 2 | 0]++;
    strip.most = strip.sums.reduce((a, b) => Math.max(a, b), 1);
  }
  c.fillStyle = diagram.colour.faint;
  strip.sums.forEach((n, k) => { if (n) { const h = 3 + 30 * Math.log1p(n) / Math.log1p(strip.most); c.fillRect(GUTTER + 2 * k, 40 - h, 1.5, h); } });
  c.fillStyle = diagram.colour.race;
  for (const f of meta.findings) for (const a of f.accesses) if (a.row >= 0 && a.row < rows.count) c.fillRect(GUTTER + axis.last[a.row] * scale - 1, 3, 2, 38);
  const from = GUTTER + Math.max(0, diagram.x0) * scale, to = GUTTER + diagram.x1 * scale;
  c.fillStyle = diagram.colour.shade;
  c.fillRect(from, 0, Math.max(to - from, 2), 44);
  c.strokeStyle = diagram.colour.accent;
  c.lineWidth = 1.5;
  c.strokeRect(from, .75, Math.max(to - from, 2), 42.5);
}

/* ---- texts */

function chips() {
  const n = meta.findings.length, text = (t, k) => make("li", { className: k || "" }, t);
  $("program").textContent = [meta.program || "a test function", ...meta.arguments].join(" ");
  $("program").title = $("program").textContent;
  $("chips").replaceChildren(text(n ? `${n} finding${n > 1 ? "s" : ""}` : !meta.ended ? "cut short" : meta.judged ? "clean" : "not judged",
    n || !meta.ended ? "bad" : meta.judged ? "good" : ""),
    ...meta.chips.map(t => text(t)));
}

function about() {
  const table = make("table");
  for (const [key, value] of meta.about) table.append(make("tr", {}, make("td", {}, key), make("td", {}, value)));
  $("about").replaceChildren(table, ...meta.notes.map(n => make("p", { className: "rule" }, n)));
}

/* Which of the two happened first in this run: luck, and worth knowing. */
function luck(f) {
  const [a, b] = f.accesses.slice(0, 2).map(access => access.row >= 0 && access.row < rows.count ? access : null);
  if (f.class !== "race" || !a || !b) return null;
  const at = access => rows.kind[access.row] <= INNER && rows.flags[access.row] & DELIVERED && !access.local
    ? rows.order.last[access.row] : rows.order.begin[access.row];
  return make("div", { className: "rule" }, `In this run ${at(a) < at(b) ? "A" : "B"} came first, by luck (records ${at(a)} and ${at(b)}).`);
}

function findingCard(f, k) {
  const message = f.message;
  const accesses = f.accesses.flatMap((a, n) => [
    n === 1 && f.class === "race" ? make("div", { className: "missing" }, "nothing orders them") : null,
    make("div", { className: "access" }, make("span", { className: "letter" }, f.class === "race" && n < 2 ? "AB"[n] : "·"),
      make("div", {}, `${a.op} by PE ${a.pe}`, make("span", { className: "where" }, ` (${a.kind})  ${place(a.file, a.line)}`)),
      a.source ? make("code", {}, a.source) : null)]);
  const o = f.object;
  const card = make("button", { className: "finding", type: "button", onclick: () => pickFinding(k) },
    make("p", {}, make("span", { className: "class" }, f.class), message), ...accesses,
    luck(f),
    f.repair ? make("div", { className: "repair" }, make("b", {}, "repair "), f.repair) : null,
    make("div", { className: "rule" }, [o && o.name ? `${o.name} on PE ${o.pe}, byte ${o.offset} of ${o.bytes}` : "", f.rule].filter(Boolean).join(" · ")));
  return make("li", {}, card);
}

function findings() {
  $("findings-title").textContent = meta.findings.length ? "Findings" : "No findings";
  $("findings").replaceChildren(...meta.findings.map(findingCard));
}

function pickFinding(k) {
  const n = meta.findings.length;
  if (!n) return;
  diagram.finding = (k + n) % n;
  [...document.querySelectorAll(".finding")].forEach((card, at) => {
    card.classList.toggle("on", at === diagram.finding);
    if (at === diagram.finding) card.scrollIntoView({ block: "nearest" });
  });
  showRows(meta.findings[diagram.finding].accesses.slice(0, 2).map(a => a.row));
}

function facts(i) {
  const { kind, pe, target, bytes, object, offset, flags, time, order, site } = rows, list = [];
  const add = (k, v) => v !== "" && v !== null && list.push([k, v]);
  const [file, line, fn] = meta.sites[site[i]] || ["", 0, ""];
  add("call", meta.names[rows.name[i]] || KINDS[kind[i]]);
  add("PE", target[i] >= 0 ? `${pe[i]} → ${target[i]}` : String(pe[i]));
  if (object[i] || bytes[i]) add("memory", [bytes[i] ? `${bytes[i].toLocaleString("en")} bytes` : "", object[i] ? `${meta.objects[object[i]]}, byte ${offset[i]}` : ""].filter(Boolean).join(" · "));
  const op = kind[i] <= INNER;
  add(op ? "issue" : "begin", duration(time.begin[i]));
  if (op) add("delivery", flags[i] & DELIVERED ? (time.first[i] < time.last[i] ? duration(time.first[i]) + " … " : "") + duration(time.last[i]) : "not recorded");
  if (op) add("complete", flags[i] & COMPLETE ? duration(time.done[i]) : "never told to its PE");
  if (time.end[i] > time.begin[i]) add(op ? "call took" : "took", duration(time.end[i] - time.begin[i]));
  add("line", file ? place(file, line) + (fn ? ` in ${fn}` : "") : "");
  add("record", order.begin[i].toLocaleString("en"));
  return list;
}

function select(i, zoomed) {
  diagram.selected = i;
  $("selection").replaceChildren(i < 0 ? make("p", { className: "faint" }, "Click something, or press n for the first event.")
    : make("table", {}, ...facts(i).map(([k, v]) => make("tr", {}, make("td", {}, k), make("td", {}, v)))));
  if (i >= 0) {
    const axis = diagram.places, outside = axis.begin[i] < diagram.x0 || axis.begin[i] > diagram.x1;
    if (zoomed) showRows([i]);
    else if (outside) { const half = (diagram.x1 - diagram.x0) / 2; show(axis.begin[i] - half, axis.begin[i] + half); }
  }
  redraw();
}

function legend() {
  const counts = new Array(KINDS.length).fill(0);
  for (let i = 0; i < rows.count; i++) counts[rows.kind[i]]++;
  const sign = (k, id) => {
    const colour = `var(--${id})`;
    const shapes = k <= INNER ? `<rect x="0" y="3" width="6" height="6" rx="1.5" fill="${colour}"/><path d="M6 6H17" stroke="${colour}" stroke-width="1.6"/><path d="M22 6L15 2.5V9.5Z" fill="${colour}"/>`
      : k === FENCE ? `<path d="M8 0V12" stroke="${colour}" stroke-width="2.5"/><path d="M9 0L16 3L9 6Z" fill="${colour}"/>`
      : `<rect x="1" y="1" width="20" height="10" rx="2.5" fill="${colour}" opacity="${WAITS.has(k) ? .3 : .9}"/>` + (WAITS.has(k) ? `<rect x="18.5" y="0" width="2.5" height="12" fill="${colour}"/>` : "");
    const span = make("span");
    span.innerHTML = `<svg viewBox="0 0 22 12" aria-hidden="true">${shapes}</svg>`;
    return span.firstChild;
  };
  const red = make("span");
  red.innerHTML = '<svg viewBox="0 0 22 12" aria-hidden="true"><path d="M4 6H18" stroke="var(--race)" stroke-width="1.6" stroke-dasharray="3 2.4"/><circle cx="3" cy="6" r="2.6" fill="var(--race)"/><circle cx="19" cy="6" r="2.6" fill="var(--race)"/></svg>';
  const buttons = KINDS.flatMap((id, k) => counts[k] ? [make("button", { type: "button", ariaPressed: String(!hidden.has(id)),
    onclick: event => {
      hidden.has(id) ? hidden.delete(id) : hidden.add(id);
      event.currentTarget.ariaPressed = String(!hidden.has(id));
      applyFilter();
    } }, sign(k, id), KIND_NAMES[id], make("span", { className: "count" }, counts[k].toLocaleString("en")))] : []);
  if (meta.findings.some(f => f.class === "race")) buttons.push(make("button", { type: "button", onclick: () => pickFinding(diagram.finding + 1) }, red.firstChild, "race: the missing edge"));
  $("legend").replaceChildren(...buttons);
}

let filtered = "";
function applyFilter() {
  filtered = $("filter").value.trim();
  const shown = filterRows(rows, meta, filtered, hidden);
  $("filter-result").textContent = filtered || hidden.size ? `${shown.toLocaleString("en")} of ${rows.count.toLocaleString("en")}` : "";
  strip = null;
  redraw();
}

function setTheme(name) {
  const dark = name === "dark" || name !== "light" && matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  diagram.colours();
  redraw();
}
function setAxis(name) {
  diagram.axis = name === "order" ? "order" : "time";
  $("axis").textContent = diagram.axis === "time" ? `Axis: ${meta.clock} time` : "Axis: order";
}

/* ---- pointer */

function pointer() {
  const canvas = $("diagram"), tip = $("tip");
  let drag = null;
  const at = event => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    const [x] = at(event), turn = Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 120) / 120;
    if (event.ctrlKey) { diagram.setLane(diagram.lane * Math.pow(1.2, -turn)); redraw(); }
    else if (event.altKey) { diagram.setTop(diagram.top + turn * 60); redraw(); }
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) move((event.deltaX || event.deltaY) / 800);
    else zoom(Math.pow(1.35, turn), diagram.place(Math.max(x, GUTTER)));
  }, { passive: false });
  canvas.addEventListener("pointerdown", event => {
    const [x, y] = at(event);
    drag = { x, y, x0: diagram.x0, x1: diagram.x1, top: diagram.top, mark: event.shiftKey, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", event => {
    const [x, y] = at(event);
    if (drag) {
      drag.moved ||= Math.hypot(x - drag.x, y - drag.y) > 4;
      if (!drag.moved) return;
      tip.hidden = true;
      canvas.classList.add("drag");
      if (drag.mark) { drag.to = x; diagram.draw(); const c = diagram.context; c.fillStyle = diagram.colour.shade;
        c.fillRect(Math.min(x, drag.x), AXIS, Math.abs(x - drag.x), diagram.height); return; }
      const by = (drag.x - x) / (diagram.width - GUTTER) * (drag.x1 - drag.x0);
      diagram.setTop(drag.top + drag.y - y);
      show(drag.x0 + by, drag.x1 + by);
      return;
    }
    const row = diagram.hit(x, y), pe = diagram.peAt(y);
    const text = row < 0 && !diagram.detailed && x > GUTTER && y > AXIS ? diagram.cellText(x, y) : "";
    if (row !== diagram.hover || pe !== diagram.hoverPe) { diagram.hover = row; diagram.hoverPe = pe; redraw(); }
    canvas.classList.toggle("over", row >= 0);
    tip.hidden = row < 0 && !text;
    if (row >= 0) tip.replaceChildren(make("table", {}, ...facts(row).map(([k, v]) => make("tr", {}, make("td", {}, k), make("td", {}, v)))));
    else tip.textContent = text;
    const box = $("stage").getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top;
    tip.style.left = Math.min(px + 16, box.width - tip.offsetWidth - 8) + "px";
    tip.style.top = (py + 18 + tip.offsetHeight > box.height ? py - tip.offsetHeight - 12 : py + 18) + "px";
  });
  const end = () => {
    if (!drag) return;
    if (drag.mark && drag.to !== undefined) { const a = diagram.place(drag.x), b = diagram.place(drag.to); show(Math.min(a, b), Math.max(a, b)); }
    else if (!drag.moved) select(diagram.hit(drag.x, drag.y));
    drag = null;
    canvas.classList.remove("drag");
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; diagram.hover = -1; redraw(); });
  canvas.addEventListener("dblclick", event => zoom(.4, diagram.place(at(event)[0])));
  const overview = $("overview");
  const jump = event => {
    const box = overview.getBoundingClientRect(), half = (diagram.x1 - diagram.x0) / 2;
    const middle = (event.clientX - box.left - GUTTER) / (box.width - GUTTER) * diagram.places.max * 1.05;
    show(middle - half, middle + half);
  };
  overview.addEventListener("pointerdown", event => { overview.setPointerCapture(event.pointerId); jump(event); });
  overview.addEventListener("pointermove", event => { if (event.buttons) jump(event); });
}

/* ---- keys */

function step(forward) {
  const from = diagram.selected, pe = from >= 0 ? rows.pe[from] : 0, next = rows.step(diagram.places, from, pe, forward);
  if (next >= 0) select(next);
}
const KEYS = {
  "+": () => zoom(1 / 1.5, (diagram.x0 + diagram.x1) / 2), "=": () => KEYS["+"](), "-": () => zoom(1.5, (diagram.x0 + diagram.x1) / 2),
  ArrowLeft: e => move(e.shiftKey ? -.8 : -.15), ArrowRight: e => move(e.shiftKey ? .8 : .15),
  ArrowUp: () => { diagram.setTop(diagram.top - diagram.lane * 2); redraw(); }, ArrowDown: () => { diagram.setTop(diagram.top + diagram.lane * 2); redraw(); },
  "<": () => { diagram.setLane(diagram.lane / 1.25); redraw(); }, ">": () => { diagram.setLane(diagram.lane * 1.25); redraw(); },
  "0": () => { diagram.setLane(0); showAll(); }, f: () => pickFinding(diagram.finding + 1), F: () => pickFinding(diagram.finding - 1),
  n: () => step(true), p: () => step(false), Enter: () => diagram.selected >= 0 && showRows([diagram.selected]),
  "/": e => { e.preventDefault(); $("filter").focus(); }, o: () => $("axis").click(), t: () => $("theme").click(), "?": () => $("keys").showModal(),
  Escape: () => { $("filter").value = ""; hidden.clear(); applyFilter(); legend(); select(-1); },
};
function keys() {
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return;
    if (event.target === $("filter")) { if (event.key === "Escape") { KEYS.Escape(); $("diagram").focus(); } return; }
    if (event.key === "Enter" && event.target.closest && event.target.closest("button")) return;
    const act = KEYS[event.key];
    if (!act) return;
    if (event.key.startsWith("Arrow")) event.preventDefault();
    act(event);
  });
  let later = 0;
  $("filter").addEventListener("input", () => { clearTimeout(later); later = setTimeout(applyFilter, rows.count > 2e5 ? 250 : 40); });
  $("fit").onclick = KEYS["0"];
  $("help").onclick = KEYS["?"];
  $("theme").onclick = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  $("axis").onclick = () => { setAxis(diagram.axis === "time" ? "order" : "time"); diagram.finding >= 0 ? pickFinding(diagram.finding) : showAll(); };
  /* Drawn at once: a canvas that gets another size is empty. */
  new ResizeObserver(() => { diagram.resize(); diagram.draw(); redraw(); }).observe($("stage"));
}

/* ---- start */

async function read() {
  const blocks = [...document.querySelectorAll("script.rows")];
  let pause = performance.now(), longest = 0;
  for (const [k, block] of blocks.entries()) {
    const start = performance.now();
    rows.add(block.textContent);
    block.remove();
    longest = Math.max(longest, performance.now() - start);
    if (performance.now() - pause < 30) continue;
    $("busy").textContent = `reading the trace … ${Math.round(100 * (k + 1) / blocks.length)} %`;
    await new Promise(done => setTimeout(done, 0));
    pause = performance.now();
  }
  document.documentElement.dataset.longest = Math.ceil(longest);
}

async function start() {
  chips(); about(); findings(); setAxis(wants.get("axis")); setTheme(wants.get("theme"));
  diagram.resize();
  keys();
  pointer();
  await read();
  $("busy").hidden = true;
  findings();
  legend();
  showAll();
  if (wants.has("filter")) { $("filter").value = wants.get("filter"); applyFilter(); }
  if (wants.has("finding")) pickFinding(Number(wants.get("finding")) - 1);
  else if (meta.findings.length) { pickFinding(0); showAll(); }
  if (wants.has("t")) show(...wants.get("t").split("-").map(Number));
  if (wants.has("lane")) diagram.setLane(Number(wants.get("lane")));
  if (wants.has("row")) select(Number(wants.get("row")), true);
  $("diagram").setAttribute("aria-label", `Space-time diagram of ${meta.npes} PEs, ${rows.count} calls, ${meta.findings.length} findings`);
  redraw();
  requestAnimationFrame(() => requestAnimationFrame(() => Object.assign(document.documentElement.dataset, { ready: "yes", rows: rows.count })));
}
start();
