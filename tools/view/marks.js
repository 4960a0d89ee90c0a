/* marks.js -- findings on the diagram (two accesses in red, the missing edge dashed), and what is pointed at or selected. */
"use strict";

Object.assign(Diagram.prototype, {
  /* Where an access stands: an operation's where it lands in memory, a plain one's on its lane. */
  spot(access) {
    const i = access.row, rows = this.rows, axis = this.places;
    if (i < 0 || i >= rows.count) return null;
    if (rows.kind[i] <= INNER && rows.flags[i] & DELIVERED && !access.local)
      return { x: this.x(axis.last[i]), y: this.y(rows.target[i]), row: i, lands: true };
    return { x: this.x((axis.begin[i] + axis.end[i]) / 2), y: this.y(rows.pe[i]), row: i };
  },

  /* PEs of the finding that is shown, and those whose memory it is about; null: none is. */
  findingPes() {
    const finding = this.findings[this.finding], rows = this.rows;
    if (!finding) return null;
    const list = finding.accesses.slice(0, 2).filter(a => a.row >= 0 && a.row < rows.count);
    const there = list.some(a => { const s = this.spot(a); return s.x > GUTTER && s.x < this.width; });
    return there ? new Set(list.flatMap(a => [rows.pe[a.row], rows.target[a.row]])) : null;
  },

  drawMarks() {
    const { findings } = this;
    findings.forEach((f, k) => { if (k !== this.finding) this.drawFinding(f, false); });
    if (this.selected >= 0) this.outline(this.selected, this.colour.ink, 2);
    if (this.hover >= 0 && this.hover !== this.selected) this.outline(this.hover, this.colour.accent, 2);
    if (findings[this.finding]) this.drawFinding(findings[this.finding], true);
  },

  /* A row above everything else. */
  outline(i, colour, width) {
    const c = this.context, rows = this.rows, [x, y, w, h] = this.box(i);
    c.strokeStyle = c.fillStyle = colour;
    c.lineWidth = width;
    c.beginPath();
    c.roundRect(x - 1, y - 1, w + 2, h + 2, 3);
    c.stroke();
    if (rows.kind[i] > INNER) return;
    const e = this.ends(i);
    c.beginPath();
    this.path(e);
    c.stroke();
    c.beginPath();
    if (e.delivered) this.head(e, Math.min(9, Math.max(5, this.lane * .5)));
    c.fill();
    if (!e.complete) return;
    c.setLineDash([2, 3]);
    c.lineWidth = 1.2;
    c.beginPath();
    c.moveTo(e.x1, e.y1);
    c.lineTo(e.x2, this.y(e.from));
    c.stroke();
    c.setLineDash([]);
    c.beginPath();
    c.arc(e.x2, this.y(e.from), 3.5, 0, 7);
    c.stroke();
  },

  ring(spot, radius, letter) {
    const c = this.context;
    c.beginPath();
    c.arc(spot.x, spot.y, radius, 0, 7);
    c.fillStyle = this.colour.race;
    c.fill();
    c.strokeStyle = this.colour.paper;
    c.lineWidth = 1.5;
    c.stroke();
    if (!letter) return;
    c.font = "700 11px system-ui, 'DejaVu Sans', sans-serif";
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillStyle = this.colour.panel;
    c.fillText(letter, spot.x, spot.y + .5);
  },

  drawFinding(finding, full) {
    const c = this.context, race = this.colour.race, spots = finding.accesses.slice(0, 2).map(a => this.spot(a));
    const [a, b] = spots;
    if (full) for (const s of spots) if (s) this.outline(s.row, race, 2.4);
    c.globalAlpha = full ? 1 : .7;
    c.strokeStyle = race;
    if (a && b) this.missingEdge(a, b, full);
    spots.forEach((s, k) => { if (s) this.ring(s, full ? 9 : 3.5, full && finding.accesses.length > 1 ? "AB"[k] : ""); });
    c.globalAlpha = 1;
    if (full) this.labels(finding, spots);
  },

  /* Dashed, from the first access to the second: over the lane where both stand on one. */
  missingEdge(a, b, full) {
    const c = this.context, flat = Math.abs(a.y - b.y) < 2, wide = Math.abs(a.x - b.x);
    const lift = flat ? Math.min(Math.max(wide * .35, 30), Math.max(this.lane * .75, 46)) : 0;
    const up = a.y - lift > AXIS + 14 ? -1 : 1, mid = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 + up * lift * 1.33 };
    c.lineWidth = full ? 2 : 1;
    c.setLineDash(full ? [6, 5] : [3, 4]);
    c.beginPath();
    c.moveTo(a.x, a.y);
    const side = a.y < b.y ? 26 : -26, bend = flat ? [a.x, a.y + up * lift * 1.33, b.x, b.y + up * lift * 1.33]
      : [a.x + (mid.x + side - a.x) * 2 / 3, a.y + (mid.y - a.y) * 2 / 3, b.x + (mid.x + side - b.x) * 2 / 3, b.y + (mid.y - b.y) * 2 / 3];
    c.bezierCurveTo(...bend, b.x, b.y);
    c.stroke();
    c.setLineDash([]);
    if (full) this.edgeCurve = [a.x, a.y, ...bend, b.x, b.y];
    this.edgeSpot = { x: mid.x, y: flat ? a.y + up * lift : mid.y };
  },

  /* Pills beside the two accesses and on the missing edge, none over another, all on the canvas. */
  labels(finding, spots) {
    const placed = spots.filter(Boolean).map(s => ({ x: s.x - 9, y: s.y - 9, w: 18, h: 18 }));
    const here = s => s && s.x > GUTTER - 20 && s.x < this.width + 20 && s.y > AXIS - 20 && s.y < this.height + 20;
    const wanted = [];
    spots.forEach((s, k) => {
      const access = finding.accesses[k];
      const where = access.file ? `${access.file.replace(/.*\//, "")}:${access.line}` : "";
      const other = spots[1 - k];
      if (here(s)) wanted.push({ spot: s, side: other && other.x > s.x ? -1 : 1, text: `${"AB"[k]}  ${shortName(access.op)} by PE ${access.pe}${where ? "  " + where : ""}`, solid: true });
    });
    if (spots[0] && spots[1] && here(this.edgeSpot)) wanted.push({ spot: this.edgeSpot, text: "nothing orders them", centre: true });
    this.pills = wanted.map(label => this.pill(label, placed));
  },

  pill({ spot, text, solid, centre, side }, placed) {
    const c = this.context, font = (solid ? "600 " : "") + "12px system-ui, 'DejaVu Sans', sans-serif", w = this.text(text, font) + 18, h = 22;
    const clash = r => placed.some(p => r.x < p.x + p.w + 3 && p.x < r.x + w + 3 && r.y < p.y + p.h + 3 && p.y < r.y + h + 3);
    const fits = r => r.x >= GUTTER + 4 && r.x + w <= this.width - 4 && r.y >= AXIS + 4 && r.y + h <= this.height - 4;
    const tries = [];
    for (const far of [0, 26, 52, 78, 104, 130]) {
      if (centre) tries.push([-w / 2, -h / 2 - far], [-w / 2, -h / 2 + far]);
      else {
        const out = side < 0 ? -w - 12 : 12, over = -12 - w - out;
        tries.push([out, -h - 8 - far], [out, 8 + far], [-w / 2, -h - 14 - far], [-w / 2, 14 + far], [over, -h - 8 - far], [over, 8 + far]);
      }
    }
    const boxes = tries.map(([dx, dy]) => ({ x: spot.x + dx, y: spot.y + dy, w, h }));
    const r = boxes.find(b => fits(b) && !clash(b)) || boxes.map(b => ({ w, h,
      x: Math.min(Math.max(b.x, GUTTER + 4), this.width - w - 4), y: Math.min(Math.max(b.y, AXIS + 4), this.height - h - 4) }))
      .find(b => !clash(b)) || boxes[0];
    placed.push(r);
    c.beginPath();
    c.roundRect(r.x, r.y, w, h, 11);
    c.fillStyle = solid ? this.colour.race : this.colour.panel;
    c.fill();
    c.strokeStyle = this.colour.race;
    c.lineWidth = 1;
    if (!solid) c.stroke();
    c.font = font;
    c.fillStyle = solid ? this.colour.panel : this.colour.race;
    c.textAlign = "left";
    c.textBaseline = "middle";
    c.fillText(text, r.x + 9, r.y + h / 2 + .5);
    return r;
  },

  /* The row under the pointer, or -1. Boxes before arrows, later ones before earlier. */
  hit(px, py) {
    if (px < GUTTER || py < AXIS || !this.detailed) return -1;
    let best = -1, nearest = 6;
    for (const i of this.drawn) {
      const [x, y, w, h] = this.box(i);
      if (px >= x - 2 && px <= x + w + 2 && py >= y - 2 && py <= y + h + 2) {
        if (nearest > 0 || w <= this.box(best)[2]) best = i;
        nearest = 0;
      } else if (nearest > 0 && this.rows.kind[i] <= INNER) {
        const e = this.ends(i), dx = e.x1 - e.x0, dy = e.y1 - e.y0;
        const t = Math.min(1, Math.max(0, ((px - e.x0) * dx + (py - e.y0) * dy) / (dx * dx + dy * dy || 1)));
        const away = Math.hypot(px - e.x0 - t * dx, py - e.y0 - t * dy);
        if (away < nearest) { nearest = away; best = i; }
      }
    }
    return best;
  },
});
