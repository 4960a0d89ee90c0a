/* far.js -- the diagram from afar: bars, shading and bundles of arrows instead of boxes and arrows. */
"use strict";

const GROUPS = GROUP_COLOUR.length;

function rgb(text) {
  const hex = /^#(..)(..)(..)$/.exec(text);
  return hex ? hex.slice(1).map(h => parseInt(h, 16)) : [128, 128, 128];
}

Object.assign(Diagram.prototype, {
  /* One pass over the rows of the window fills the cells. */
  countCells(low, high) {
    const { rows, x0 } = this, axis = this.places, lanes = high - low + 1;
    const columns = Math.ceil((this.width - GUTTER) / CELL), scale = columns / (this.x1 - x0);
    const bands = Math.min(lanes, 48), bins = Math.ceil((this.width - GUTTER) / 26), band = bands / lanes;
    const begun = new Uint32Array(lanes * columns * GROUPS), waits = new Float32Array(lanes * (columns + 1));
    const bundles = new Uint32Array(bands * bands * bins), reach = new Float64Array(bundles.length), start = new Float64Array(bundles.length);
    const groups = KINDS.map(k => GROUP[k]), waiting = KINDS.map((_, k) => WAITS.has(k));
    let count = 0;
    rows.visit(axis, x0, this.x1, i => {
      const pe = rows.pe[i], kind = rows.kind[i], at = (axis.begin[i] - x0) * scale;
      count++;
      if (pe >= low && pe <= high) {
        const lane = pe - low;
        if (at >= 0 && at < columns) begun[(lane * columns + (at | 0)) * GROUPS + groups[kind]]++;
        if (waiting[kind] && kind !== QUIET) {
          const from = Math.max(at, 0), to = Math.min((axis.end[i] - x0) * scale, columns);
          waits[lane * (columns + 1) + (from | 0)] += 1;
          waits[lane * (columns + 1) + (to | 0)] -= 1;
        }
      }
      if (kind > INNER || !(rows.flags[i] & DELIVERED)) return false;
      const to = rows.target[i];
      if (to === pe || to < low || to > high || pe < low || pe > high || at < 0 || at >= columns) return false;
      const key = (((pe - low) * band | 0) * bands + ((to - low) * band | 0)) * bins + Math.min(bins - 1, at * bins / columns | 0);
      bundles[key]++;
      reach[key] += axis.last[i] - axis.begin[i];
      start[key] += axis.begin[i];
      return false;
    });
    return { lanes, columns, begun, waits, bundles, reach, start, bands, bins, count };
  },

  drawCells(low, high) {
    low = Math.max(low, 0);
    high = Math.min(high, this.meta.npes - 1);
    const cells = this.countCells(low, high);
    this.cells = Object.assign(cells, { low });
    this.drawBars(cells, low);
    this.drawBundles(cells, low);
  },

  drawBars({ lanes, columns, begun, waits }, low) {
    const c = this.context, tall = Math.max(2, Math.floor(this.lane)), picture = new ImageData(columns, lanes * tall);
    const ink = GROUP_COLOUR.map(name => { const [r, g, b] = rgb(this.colour[name]); return 0xff000000 | b << 16 | g << 8 | r; });
    const [r, g, b] = rgb(this.colour.sync), shade = b << 16 | g << 8 | r, pixels = new Uint32Array(picture.data.buffer);
    let most = 1;
    const totals = new Uint32Array(lanes * columns);
    for (let cell = 0; cell < totals.length; cell++) {
      let sum = 0;
      for (let k = 0; k < GROUPS; k++) sum += begun[cell * GROUPS + k];
      totals[cell] = sum;
      if (sum > most) most = sum;
    }
    const room = tall > 6 ? tall - 2 : tall;
    for (let lane = 0; lane < lanes; lane++) {
      let waiting = 0;
      for (let col = 0; col < columns; col++) {
        waiting += waits[lane * (columns + 1) + col];
        const cell = lane * columns + col, total = totals[cell], bottom = (lane * tall + tall - 1) * columns + col;
        if (waiting > 0 || waits[lane * (columns + 1) + col] < 0)
          for (let k = 0; k < room; k++) pixels[bottom - k * columns] = 0x30000000 | shade;
        if (!total) continue;
        const height = Math.max(1, Math.round(room * Math.log1p(total) / Math.log1p(most)));
        let drawn = 0, sum = 0;
        for (let k = 0; k < GROUPS; k++) {
          sum += begun[cell * GROUPS + k];
          for (const stop = Math.round(height * sum / total); drawn < stop; drawn++) pixels[bottom - drawn * columns] = ink[k];
        }
      }
    }
    const sheet = new OffscreenCanvas(columns, lanes * tall);
    sheet.getContext("2d").putImageData(picture, 0, 0);
    c.imageSmoothingEnabled = false;
    c.drawImage(sheet, GUTTER, this.y(low) - this.lane / 2, columns * CELL, lanes * this.lane);
  },

  /* The strongest bundles, as many as an eye can follow. */
  drawBundles({ bundles, reach, start, bands, bins, lanes }, low) {
    const c = this.context, keys = [];
    let most = 1;
    for (let k = 0; k < bundles.length; k++) if (bundles[k]) { keys.push(k); if (bundles[k] > most) most = bundles[k]; }
    keys.sort((a, b) => bundles[b] - bundles[a] || a - b);
    keys.length = Math.min(keys.length, BUNDLES);
    const span = this.x1 - this.x0, per = lanes / bands, middle = band => this.y(low + (band + .5) * per - .5);
    c.strokeStyle = this.colour.ink;
    for (const k of keys) {
      const bin = k % bins, pair = (k - bin) / bins, from = Math.floor(pair / bands), to = pair % bands;
      const x = this.x(start[k] / bundles[k]), dx = reach[k] / bundles[k] / span * (this.width - GUTTER);
      const strength = Math.log1p(bundles[k]) / Math.log1p(most);
      /* Of upright lines nobody can tell where they lead: they are no more than texture. */
      c.globalAlpha = (.05 + .16 * strength * Math.min(1, 400 / keys.length + .25)) * Math.min(1, Math.max(.25, Math.abs(dx) / 12));
      c.lineWidth = .6 + 1.6 * strength;
      c.beginPath();
      c.moveTo(x, middle(from));
      c.lineTo(x + dx, middle(to));
      c.stroke();
    }
    c.globalAlpha = 1;
  },

  /* What begins in the cell under the pointer: counts by kind. */
  cellText(px, py) {
    const { cells } = this, pe = this.peAt(py), lane = pe - cells.low, wide = 4;
    const col = Math.floor((px - GUTTER) / CELL), sums = new Array(GROUPS).fill(0);
    if (lane < 0 || lane >= cells.lanes) return "";
    for (let k = Math.max(0, col - wide); k <= Math.min(cells.columns - 1, col + wide); k++)
      for (let g = 0; g < GROUPS; g++) sums[g] += cells.begun[(lane * cells.columns + k) * GROUPS + g];
    const names = ["puts", "gets", "atomics", "fences and quiets", "waits, barriers, locks, allocations", "collectives", "loads and stores"];
    const parts = sums.map((n, g) => n ? `${n.toLocaleString("en")} ${names[g]}` : "").filter(Boolean);
    return parts.length ? `PE ${pe} · ` + parts.join(", ") : "";
  },
});
