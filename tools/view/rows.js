/* rows.js -- the run in memory: columns of numbers, one row a call or plain access, and which rows are in a window.
 *
 * The rows come in blocks of text (base64 of LEB128 numbers, column after column; tools/view_rows.c writes them). Each block is read in a task
 * of its own, so that a page with a million operations answers from the first moment.
 */
"use strict";

const KINDS = ["put", "get", "atomic", "signal", "inner", "fence", "quiet", "wait", "sync", "coll", "lock", "heap", "load", "store"];
const KIND_NAMES = { put: "put", get: "get", atomic: "atomic", signal: "put with signal", inner: "inside collectives", fence: "fence", quiet: "quiet",
  wait: "wait, test", sync: "barrier, sync", coll: "collective", lock: "lock", heap: "allocation", load: "load", store: "store" };
const PUT = 0, GET = 1, ATOMIC = 2, SIGNAL = 3, INNER = 4, FENCE = 5, QUIET = 6, WAIT = 7, SYNC = 8, COLL = 9,
  LOCK = 10, HEAP = 11, LOAD = 12, STORE = 13;
const DELIVERED = 1, COMPLETE = 2, FETCH = 8;
const BLOCK = 1024;

class Rows {
  constructor(count) {
    const f = () => new Float64Array(count), u = () => new Uint32Array(count);
    this.room = count;
    this.count = 0;
    this.kind = new Uint8Array(count);
    this.flags = new Uint8Array(count);
    this.pe = u(); this.name = u(); this.site = u(); this.object = u();
    this.target = new Int32Array(count).fill(-1);
    this.bytes = f(); this.offset = f();
    this.time = { begin: f(), end: f(), first: f(), last: f(), done: f(), low: [], high: [], max: 0 };
    this.order = { begin: u(), end: u(), first: u(), last: u(), done: u(), low: [], high: [], max: 0 };
    this.shown = new Uint8Array(count).fill(1);
  }

  /* Reads one block of text behind the rows that are there. */
  add(text) {
    const raw = atob(text.trim()), size = raw.length, bytes = new Uint8Array(size);
    for (let i = 0; i < size; i++) bytes[i] = raw.charCodeAt(i);
    let at = 0;
    const number = () => {
      let value = 0, scale = 1, byte;
      do { byte = bytes[at++]; value += (byte & 127) * scale; scale *= 128; } while (byte & 128);
      return value;
    };
    const signed = () => { const v = number(); return v % 2 ? -(v + 1) / 2 : v / 2; };
    const n = number(), from = this.count, to = from + n;
    const column = (array, read) => { for (let i = from; i < to; i++) array[i] = read(i); };
    const sum = (array, read) => { let v = 0; for (let i = from; i < to; i++) array[i] = v += read(); };
    const { time, order } = this;
    column(this.kind, number); column(this.flags, number);
    column(this.pe, number); column(this.name, number); column(this.site, number);
    column(this.object, number); column(this.bytes, number); sum(this.offset, signed);
    sum(time.begin, signed); column(time.end, i => time.begin[i] + signed());
    sum(order.begin, signed); column(order.end, i => order.begin[i] + signed());
    for (let i = from; i < to; i++) {
      for (const axis of [time, order]) axis.first[i] = axis.last[i] = axis.done[i] = axis.end[i];
      if (this.kind[i] > INNER) continue;
      this.target[i] = number();
      time.first[i] = time.begin[i] + signed(); time.last[i] = time.first[i] + signed(); time.done[i] = time.last[i] + signed();
      order.first[i] = order.begin[i] + signed(); order.last[i] = order.first[i] + signed(); order.done[i] = order.last[i] + signed();
    }
    this.count = to;
    this.bound(time, from); this.bound(order, from);
  }

  /* Least and greatest place on an axis of each block of rows, so that blocks outside a window are stepped over. */
  bound(axis, from) {
    for (let b = Math.floor(from / BLOCK); b * BLOCK < this.count; b++) {
      let low = Infinity, high = -Infinity;
      for (let i = b * BLOCK, end = Math.min(i + BLOCK, this.count); i < end; i++) {
        low = Math.min(low, axis.begin[i]);
        high = Math.max(high, axis.end[i], axis.last[i], axis.done[i]);
      }
      axis.low[b] = low; axis.high[b] = high; axis.max = Math.max(axis.max, high);
    }
  }

  /* Calls `take` for each shown row that touches [x0, x1] on the axis, as long as it does not return true. */
  visit(axis, x0, x1, take) {
    for (let b = 0; b < axis.low.length; b++) {
      if (axis.low[b] > x1 || axis.high[b] < x0) continue;
      for (let i = b * BLOCK, end = Math.min(i + BLOCK, this.count); i < end; i++)
        if (this.shown[i] && axis.begin[i] <= x1 && (axis.end[i] >= x0 || axis.done[i] >= x0 || axis.last[i] >= x0) && take(i)) return;
    }
  }

  /* The next (or last) shown row of a PE, by begin; -1: none. */
  step(axis, row, pe, forward) {
    let best = -1;
    const here = row < 0 ? -1 : axis.begin[row];
    const after = (a, b) => axis.begin[a] !== axis.begin[b] ? axis.begin[a] > axis.begin[b] : a > b;
    for (let b = 0; b < axis.low.length; b++) {
      if (forward ? axis.high[b] < here : axis.low[b] > here && row >= 0) continue;
      if (forward && best >= 0 && axis.low[b] > axis.begin[best]) continue;
      for (let i = b * BLOCK, end = Math.min(i + BLOCK, this.count); i < end; i++) {
        if (!this.shown[i] || this.pe[i] !== pe || i === row) continue;
        if (row >= 0 && after(i, row) !== forward) continue;
        if (best < 0 || after(best, i) === forward) best = i;
      }
    }
    return best;
  }
}

/* "pe:0,4-7 -kind:quiet put" as a test of rows; what is hidden by kind as well. Returns how many rows are shown. */
function filterRows(rows, meta, text, hidden) {
  const tests = text.toLowerCase().split(/\s+/).filter(Boolean).map(word => {
    const not = word.startsWith("-") && word.length > 1, body = not ? word.slice(1) : word;
    const [, key, value] = /^(pe|to|kind|bytes):(.+)$/.exec(body) || [];
    let test;
    if (key === "pe" || key === "to") {
      const wanted = new Set();
      for (const part of value.split(",")) {
        const [a, b = a] = part.split("-").map(Number);
        for (let i = a; i <= b && i < meta.npes; i++) wanted.add(i);
      }
      test = key === "pe" ? i => wanted.has(rows.pe[i]) : i => wanted.has(rows.target[i]);
    } else if (key === "kind") {
      const wanted = KINDS.map(k => k === value || KIND_NAMES[k].includes(value));
      test = i => wanted[rows.kind[i]];
    } else if (key === "bytes") {
      const least = Number(value.replace(">", ""));
      test = value.startsWith(">") ? i => rows.bytes[i] > least : i => rows.bytes[i] === least;
    } else {
      const has = list => list.map(t => t.toLowerCase().includes(body));
      const name = has(meta.names), object = has(meta.objects), site = has(meta.sites.map(s => `${s[0]}:${s[1]}`));
      const exact = /:\d+$/.test(body) ? meta.sites.map(s => `${s[0]}:${s[1]}`.toLowerCase().endsWith(body)) : site;
      test = i => name[rows.name[i]] || object[rows.object[i]] || exact[rows.site[i]];
    }
    return not ? i => !test(i) : test;
  });
  const visible = KINDS.map(k => !hidden.has(k));
  let shown = 0;
  for (let i = 0; i < rows.count; i++)
    shown += rows.shown[i] = visible[rows.kind[i]] && tests.every(t => t(i)) ? 1 : 0;
  return shown;
}
