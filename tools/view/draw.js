/* draw.js -- the diagram on its canvas: near, each call and arrow; from afar, how much of what happens where.
 *
 * Up to DETAIL rows in the window are drawn one by one. Above that the window is a grid of cells, a lane high and CELL
 * pixels wide: bars count the operations that begin in a cell, shading says how long the PE waited, and arrows between the same two
 * groups of lanes become one, stronger for more of them. Findings are drawn one by one at every distance.
 */
"use strict";

const DETAIL = 4000, CELL = 3, GUTTER = 64, AXIS = 30, BUNDLES = 1200;
const GROUP = { put: 0, signal: 0, inner: 5, get: 1, atomic: 2, fence: 3, quiet: 3, wait: 4, sync: 4, coll: 5, lock: 4, heap: 4, load: 6, store: 6 };
const GROUP_COLOUR = ["put", "get", "atomic", "quiet", "sync", "coll", "store"];
const WAITS = new Set([WAIT, SYNC, COLL, LOCK, QUIET]);

const SPANS = [1, 2, 5];
function niceStep(least) {
  let power = Math.pow(10, Math.floor(Math.log10(Math.max(least, 1))));
  for (;; power *= 10) for (const s of SPANS) if (s * power >= least) return s * power;
}
/* A time in the unit that fits the greatest one in sight, with as many digits as tell two ticks apart. */
function timeText(ns, step, most) {
  const [unit, name] = most >= 1e9 ? [1e9, "s"] : most >= 1e6 ? [1e6, "ms"] : most >= 1e4 || step >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  const digits = Math.max(0, Math.ceil(Math.log10(unit / Math.max(step, 1))));
  return (ns / unit + 0).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }) + " " + name;
}
const duration = ns => ns >= 1e9 ? `${+(ns / 1e9).toPrecision(4)} s` : ns >= 1e6 ? `${+(ns / 1e6).toPrecision(4)} ms` :
  ns >= 1e3 ? `${+(ns / 1e3).toPrecision(4)} µs` : `${ns} ns`;
const shortName = name => name.replace(/^shmemx?_/, "").replace(/_(nbi)$/, " nbi");

class Diagram {
  constructor(canvas, rows, meta) {
    Object.assign(this, { canvas, rows, meta, context: canvas.getContext("2d"), axis: "time", x0: 0, x1: 1, top: 0, lane: 0,
      hover: -1, selected: -1, finding: -1, drawn: [], findings: [] });
    this.widths = new Map();
    this.colours();
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    this.colour = new Proxy({}, { get: (cache, key) => cache[key] ||= style.getPropertyValue("--" + key).trim() });
    this.kindColour = KINDS.map(k => this.colour[k]);
  }

  resize() {
    const box = this.canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    this.width = Math.max(box.width, GUTTER + 50);
    this.height = Math.max(box.height, AXIS + 20);
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.setLane(this.wantedLane || 0);
  }

  /* Height of a lane; 0: so that all fit. */
  setLane(height) {
    const fit = (this.height - AXIS - 8) / this.meta.npes;
    this.wantedLane = height;
    this.lane = Math.min(Math.max(height || Math.min(fit, 210), 5), 260);
    this.setTop(this.top);
  }
  setTop(top) {
    this.top = Math.min(Math.max(top, 0), Math.max(0, this.meta.npes * this.lane - (this.height - AXIS - 8)));
  }

  get places() { return this.rows[this.axis]; }
  x(place) { return GUTTER + (place - this.x0) / (this.x1 - this.x0) * (this.width - GUTTER); }
  place(x) { return this.x0 + (x - GUTTER) / (this.width - GUTTER) * (this.x1 - this.x0); }
  y(pe) { return AXIS + (pe + .5) * this.lane - this.top; }
  peAt(y) { return Math.floor((y - AXIS + this.top) / this.lane); }

  text(text, font) {
    const key = font + text;
    let width = this.widths.get(key);
    if (width === undefined) {
      this.context.font = font;
      this.widths.set(key, width = this.context.measureText(text).width);
    }
    return width;
  }

  draw() {
    const { context: c, rows } = this, axis = this.places;
    c.clearRect(0, 0, this.width, this.height);
    this.drawn.length = 0;
    this.drawLanes();
    c.save();
    c.beginPath();
    c.rect(GUTTER, AXIS, this.width - GUTTER, this.height - AXIS);
    c.clip();
    const low = this.peAt(AXIS), high = this.peAt(this.height);
    let count = 0;
    rows.visit(axis, this.x0, this.x1, i => {
      if (!this.inLanes(i, low, high)) return false;
      if (this.drawn.length <= DETAIL) this.drawn.push(i);
      return ++count > DETAIL;
    });
    this.detailed = count <= DETAIL;
    if (this.detailed) this.drawRows();
    else { this.drawn.length = 0; this.drawCells(low, high); }
    this.drawMarks();
    c.restore();
    this.drawAxis();
  }

  inLanes(i, low, high) {
    const pe = this.rows.pe[i], to = this.rows.target[i];
    return pe >= low && pe <= high || to >= low && to <= high;
  }

  drawLanes() {
    const { context: c, colour, lane } = this, n = this.meta.npes;
    const first = Math.max(0, this.peAt(AXIS)), last = Math.min(n - 1, this.peAt(this.height));
    let every = 1;
    while (every * lane < 13) every *= 2;
    c.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    c.textAlign = "right";
    c.textBaseline = "middle";
    const pad = lane > 30 ? Math.min(lane * .12, 10) : lane > 8 ? 1 : 0;
    for (let pe = first; pe <= last; pe++) {
      const y = this.y(pe), top = y - lane / 2 + pad, height = lane - 2 * pad;
      c.fillStyle = colour.lane;
      if (lane > 8 || pe % 2) c.fillRect(GUTTER, top, this.width - GUTTER, height);
      if (lane > 14) {
        c.fillStyle = colour["lane-edge"];
        c.fillRect(GUTTER, Math.round(y), this.width - GUTTER, 1);
      }
      if (pe % every === 0 && y > AXIS - 4) {
        c.fillStyle = pe === this.hoverPe ? colour.ink : colour.soft;
        c.fillText(lane > 20 ? `PE ${pe}` : `${pe}`, GUTTER - 10, y);
      }
    }
  }

  drawAxis() {
    const { context: c, colour } = this, span = this.x1 - this.x0;
    const step = niceStep(span / Math.max(2, (this.width - GUTTER) / 110));
    c.fillStyle = colour.paper;
    c.fillRect(0, 0, this.width, AXIS);
    c.fillStyle = colour.edge;
    c.fillRect(0, AXIS - 1, this.width, 1);
    c.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    c.textBaseline = "middle";
    c.textAlign = "center";
    for (let k = Math.ceil(Math.max(this.x0, 0) / step), t; (t = k * step) <= this.x1; k++) {
      const x = this.x(t), text = this.axis === "time" ? timeText(t, step, this.x1) : Math.round(t).toLocaleString("en");
      c.fillStyle = colour.faint;
      c.fillRect(Math.round(x), AXIS - 6, 1, 6);
      const half = this.text(text, c.font) / 2;
      if (x - half < GUTTER - 4 || x + half > this.width - 2) continue;
      c.fillStyle = colour.soft;
      c.fillText(text, x, AXIS / 2 - 1);
    }
    c.textAlign = "right";
    c.fillStyle = colour.faint;
    c.fillText(this.axis, GUTTER - 10, AXIS / 2 - 1);
  }

  /* ---- near */

  box(i) {
    const axis = this.places, kind = this.rows.kind[i], y = this.y(this.rows.pe[i]);
    const inner = kind === QUIET || kind === FENCE || kind <= INNER || kind >= LOAD ? .38 : .56;
    const height = Math.min(this.lane * inner, 26), x = this.x(axis.begin[i]);
    return [x, y - height / 2, Math.max(this.x(axis.end[i]) - x, 2), height];
  }

  drawRows() {
    const { context: c, rows } = this, many = this.drawn.length > 1200;
    const later = [];
    for (const i of this.drawn) {
      const kind = rows.kind[i];
      if (kind <= INNER || kind === FENCE || kind >= LOAD) { later.push(i); continue; }
      this.drawCall(i);
    }
    /* Beside a finding that is looked at, what is not between its PEs steps back. */
    const near = this.drawn.length > 30 ? this.findingPes() : null;
    const fits = i => !near || near.has(rows.pe[i]) && near.has(rows.target[i]);
    for (const close of [false, true])
      for (let kind = 0; kind <= INNER; kind++) {
        const ops = this.drawn.filter(i => rows.kind[i] === kind && fits(i) === close);
        if (ops.length) this.drawArrows(ops, this.kindColour[kind], many ? 1 : 1.4, many, near ? close ? .75 : .22 : 1);
      }
    for (const i of later) this.drawCall(i);
    for (const i of this.drawn) this.drawName(i);
    c.globalAlpha = 1;
  }

  drawCall(i) {
    const { context: c } = this, kind = this.rows.kind[i], [x, y, w, h] = this.box(i);
    c.fillStyle = this.kindColour[kind];
    if (kind === FENCE) {
      const mid = this.y(this.rows.pe[i]), tall = Math.min(this.lane * .7, 38);
      c.fillRect(x + w - 1.5, mid - tall / 2, 3, tall);
      c.beginPath();
      c.moveTo(x + w + 1, mid - tall / 2); c.lineTo(x + w + 8, mid - tall / 2 + 4); c.lineTo(x + w + 1, mid - tall / 2 + 8);
      c.fill();
      return;
    }
    c.globalAlpha = WAITS.has(kind) || kind === HEAP ? .26 : .92;
    c.beginPath();
    c.roundRect(x, y, w, h, Math.min(3, w / 2));
    c.fill();
    c.globalAlpha = 1;
    if (WAITS.has(kind)) { /* what ends the waiting counts: a strong right edge */
      const grow = kind === QUIET ? 3 : 0;
      c.fillRect(x + w - Math.min(3, w), y - grow, Math.min(3, w), h + 2 * grow);
    }
  }

  drawName(i) {
    const { context: c, rows } = this, kind = rows.kind[i], [x, y, w, h] = this.box(i);
    if (h < 10) return;
    const font = "11px system-ui, 'DejaVu Sans', sans-serif", left = Math.max(x, GUTTER), room = x + w - left - 8;
    if (room < 12) return;
    let name = shortName(this.meta.names[rows.name[i]] || KINDS[kind]);
    if (this.text(name, font) > room) name = KINDS[kind];
    if (this.text(name, font) > room) return;
    c.font = font;
    c.textAlign = "left";
    c.textBaseline = "middle";
    c.fillStyle = WAITS.has(kind) || kind === HEAP ? this.colour.ink : this.colour.panel;
    c.fillText(name, left + 4, y + h / 2 + .5);
  }

  /* Where an operation starts and where it lands, on the canvas. */
  ends(i) {
    const { rows } = this, axis = this.places, to = rows.target[i], from = rows.pe[i];
    const delivered = rows.flags[i] & DELIVERED, side = Math.sign(to - from), half = Math.min(this.lane * .19, 13);
    /* Where nobody recorded the delivery, the arrow ends, dashed, where it must have been. */
    const complete = rows.flags[i] & COMPLETE, unsure = !delivered && complete;
    return { x0: this.x(axis.begin[i]), y0: this.y(from) + side * half, y1: this.y(to), from, to, unsure, complete,
      x1: delivered ? this.x(axis.last[i]) : complete ? this.x(axis.done[i]) : this.width + 40,
      delivered: delivered || unsure, x2: this.x(axis.done[i]) };
  }

  path(e) {
    const c = this.context;
    c.moveTo(e.x0, e.y0);
    if (e.from === e.to) { const lift = Math.min(this.lane * .42, 30); c.bezierCurveTo(e.x0, e.y0 - lift, e.x1, e.y1 - lift, e.x1, e.y1); }
    else c.lineTo(e.x1, e.y1);
  }

  drawArrows(ops, colour, width, plain, alpha) {
    const c = this.context, ends = ops.map(i => this.ends(i));
    c.strokeStyle = c.fillStyle = colour;
    if (!plain) { /* back to the origin, where it is complete */
      c.globalAlpha = .5 * alpha;
      c.lineWidth = 1;
      c.setLineDash([1.5, 3]);
      c.beginPath();
      for (const e of ends) if (e.complete && e.delivered && !e.unsure && e.from !== e.to) { c.moveTo(e.x1, e.y1); c.lineTo(e.x2, this.y(e.from)); }
      c.stroke();
      c.setLineDash([]);
      c.globalAlpha = alpha;
      c.beginPath();
      for (const e of ends) if (e.complete) { c.moveTo(e.x2 + 2.5, this.y(e.from)); c.arc(e.x2, this.y(e.from), 2.5, 0, 7); }
      c.stroke();
    }
    c.lineWidth = width;
    c.globalAlpha = alpha * Math.max(.14, Math.min(plain ? .55 : .95, 450 / ops.length));
    for (const unsure of [false, true]) {
      c.setLineDash(unsure ? [5, 4] : []);
      c.beginPath();
      for (const e of ends) if (Boolean(e.unsure) === unsure) this.path(e);
      c.stroke();
    }
    c.setLineDash([]);
    c.globalAlpha = alpha;
    c.beginPath();
    const size = Math.min(plain ? 4.5 : 7, this.lane * .4);
    for (const e of ends) if (e.delivered) this.head(e, size);
    c.fill();
    c.globalAlpha = 1;
  }

  head(e, size) {
    const c = this.context, angle = e.from === e.to ? Math.PI / 2 : Math.atan2(e.y1 - e.y0, e.x1 - e.x0);
    c.moveTo(e.x1, e.y1);
    for (const turn of [2.74, -2.74]) c.lineTo(e.x1 + size * Math.cos(angle + turn), e.y1 + size * Math.sin(angle + turn));
    c.closePath();
  }
}
