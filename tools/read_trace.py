#!/usr/bin/env python3
"""Reads a trace without Fencepost, from the words of traces/FORMAT.md alone (usage: read_trace.py [--choices] TRACE).

A format that is specified in prose is read by two programs, or the prose is wishful: this one prints the lines that
`fencepost trace print` prints, and a test compares them. It needs Python and libzstd.so.1 alone; with the module xxhash
large traces are checked faster. To be imported as well: `for block in blocks(bytes)`.
"""
import ctypes
import sys

MAGIC = b"FPTRACE1"
HEADER, CHOICES, RESULT, END, SHAPES, RECORDS = 1, 2, 3, 4, 5, 6
PAYLOAD_MAX = 16 << 20
STORED_MAX = PAYLOAD_MAX + (64 << 10)
MASK = (1 << 64) - 1
KINDS = ("step", "split", "jitter")
FIELDS = ("time", "pe", "target", "offset", "age", "took", "bytes", "region", "ctx", "value", "local_region", "local_offset",
          "blocks", "step", "local_step", "from", "cmp", "by", "team", "seq", "root", "signal_region", "signal_offset",
          "signal_value", "grain", "elems", "size", "start", "stride", "mark", "flags", "finding")
OF_AN_OPERATION = (b"issue", b"read", b"write", b"rmw", b"return")


class Damaged(Exception):
    """The trace cannot be read on from here; what came before is good."""


# ---- xxHash64 -------------------------------------------------------------------------------------------------------

P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def rotate(value, bits):
    return ((value << bits) | (value >> (64 - bits))) & MASK


def mix(state, lane):
    return rotate((state + lane * P2) & MASK, 31) * P1 & MASK


def xxhash64_slowly(data):
    at, words = 0, len(data) // 8
    lanes = memoryview(data[:words * 8]).cast("Q") if sys.byteorder == "little" else \
        [int.from_bytes(data[8 * i:8 * i + 8], "little") for i in range(words)]
    if len(data) >= 32:
        a, b, c, d = (P1 + P2) & MASK, P2, 0, -P1 & MASK
        while at + 4 <= words:
            a, b, c, d = mix(a, lanes[at]), mix(b, lanes[at + 1]), mix(c, lanes[at + 2]), mix(d, lanes[at + 3])
            at += 4
        sum_ = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) & MASK
        for state in (a, b, c, d):
            sum_ = ((sum_ ^ mix(0, state)) * P1 + P4) & MASK
    else:
        sum_ = P5
    sum_ = (sum_ + len(data)) & MASK
    while at < words:
        sum_ = (rotate(sum_ ^ mix(0, lanes[at]), 27) * P1 + P4) & MASK
        at += 1
    rest = data[words * 8:]
    if len(rest) >= 4:
        sum_ = (rotate(sum_ ^ (int.from_bytes(rest[:4], "little") * P1 & MASK), 23) * P2 + P3) & MASK
        rest = rest[4:]
    for byte in rest:
        sum_ = rotate(sum_ ^ (byte * P5 & MASK), 11) * P1 & MASK
    sum_ = (sum_ ^ sum_ >> 33) * P2 & MASK
    sum_ = (sum_ ^ sum_ >> 29) * P3 & MASK
    return sum_ ^ sum_ >> 32


try:
    import xxhash

    def xxhash64(data):
        return xxhash.xxh64_intdigest(data)
except ImportError:
    xxhash64 = xxhash64_slowly

# ---- zstd -----------------------------------------------------------------------------------------------------------

zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_decompress.restype = ctypes.c_size_t
zstd.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]


def decompress(stored, size):
    payload = ctypes.create_string_buffer(size + 1)
    got = zstd.ZSTD_decompress(payload, size + 1, stored, len(stored))  # an error is a number beyond every size
    if got != size:
        raise Damaged("is damaged (compression)")
    return payload.raw[:size]


# ---- blocks ---------------------------------------------------------------------------------------------------------


def blocks(data):
    """(type, payload) of each block; raises Damaged with what is wrong and in which block."""
    if data[:8] != MAGIC:
        raise Damaged("not a Fencepost trace of version 1")
    at, number = 8, 0
    while at < len(data):
        number += 1
        try:
            if len(data) - at < 17:
                raise Damaged("is cut short")
            payload, stored = (int.from_bytes(data[at + i:at + i + 4], "little") for i in (1, 5))
            if payload > PAYLOAD_MAX or stored > STORED_MAX:
                raise Damaged("has an impossible length")
            body = data[at + 17:at + 17 + stored]
            if len(body) < stored:
                raise Damaged("is cut short")
            if xxhash64(data[at:at + 9] + body) != int.from_bytes(data[at + 9:at + 17], "little"):
                raise Damaged("is damaged (checksum)")
            yield data[at], decompress(body, payload)
        except Damaged as error:
            raise Damaged(f"block {number} {error}") from None
        at += 17 + stored


def fields(payload):
    strings = payload.split(b"\0")
    if strings.pop() or len(strings) % 2:
        raise Damaged("a field is damaged")
    return list(zip(strings[::2], strings[1::2]))


def numbers(payload):
    """Unsigned LEB128, each at most 10 bytes."""
    value = shift = 0
    for byte in payload:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte & 0x80:
            if shift >= 70:
                raise Damaged("a number is damaged")
            continue
        yield value & MASK
        value = shift = 0
    if shift:
        raise Damaged("a number is damaged")


def unzigzag(number):
    return number >> 1 ^ -(number & 1)


def choices(payload, version=2):
    """(kind, bound or None, answer, times in a row): a file of a few bytes may claim very many steps answered by 0."""
    stream, last = numbers(payload), [0, 0, 0, 0]
    for token in stream:
        kind, answer = token & 3, token >> 2
        if kind == 0:
            if answer == 0:
                raise Damaged("choices are damaged")
            yield 0, None, 0, answer
            continue
        bound = next(stream, None)
        if bound is not None and version > 1:
            bound = last[kind] = (last[kind] + unzigzag(bound)) & MASK
        if bound is None or bound >= 1 << 32 or answer >= bound:
            raise Damaged("choices are damaged")
        yield kind - 1, bound, answer, 1


class Shape:
    """What is the same for many records, and the fields of the last one."""

    def __init__(self, event):
        self.keys, self.last, self.shown = [(b"event", event)], [0] * len(FIELDS), False

    def text(self, key):
        return next((v for k, v in self.keys if k == key), b"")


class Records:
    """Shapes and records of a trace, block by block."""

    def __init__(self):
        self.shapes = []
        self.count = self.issues = 0

    def take_shapes(self, payload):
        first = len(self.shapes)
        for key, value in fields(payload):
            if key == b"event":
                self.shapes.append(Shape(value))
            elif len(self.shapes) == first:
                raise Damaged("shapes are damaged")
            else:
                self.shapes[-1].keys.append((key, value))

    def take_records(self, payload):
        """(number, issue records so far, number of the shape, fields) of each."""
        stream = numbers(payload)
        for number in stream:
            mask = next(stream, None)
            if mask is None or number >= len(self.shapes):
                raise Damaged("records are damaged")
            shape = self.shapes[number]
            for bit in range(mask.bit_length()):
                if mask >> bit & 1:
                    zigzag = next(stream, None)
                    if zigzag is None:
                        raise Damaged("records are damaged")
                    if bit < len(FIELDS):
                        shape.last[bit] = (shape.last[bit] + unzigzag(zigzag)) & MASK
            self.count += 1
            self.issues += shape.keys[0][1] == b"issue"
            yield self.count, self.issues, number, [value - (value >> 63 << 64) for value in shape.last]


# ---- the lines of fencepost trace print -----------------------------------------------------------------------------


def line(raw):
    """One line, whatever the bytes are."""
    out = []
    for char in raw.decode("utf-8", "surrogateescape"):
        code = ord(char)
        if char in "\n\t\\":
            out.append({"\n": "\\n", "\t": "\\t", "\\": "\\\\"}[char])
        elif code < 0x20 or code == 0x7F:
            out.append(f"\\x{code:02x}")
        elif 0xDC80 <= code <= 0xDCFF:
            out.append(f"\\x{code - 0xDC00:02x}")
        else:
            out.append(char)
    return "".join(out)


def record_lines(records, payload):
    for number, issues, of, values in records.take_records(payload):
        shape = records.shapes[of]
        event = shape.text(b"event")
        if not shape.shown:
            shape.shown = True
            yield f"shape {of}: " + " ".join(f"{line(k)}={line(v)}" for k, v in shape.keys)
        call = shape.text(b"call")
        text = f"record {number}: {line(event)}{' ' if call else ''}{line(call)} pe={values[1]} time={values[0]}"
        if event in OF_AN_OPERATION:
            op = issues - (0 if event == b"issue" else values[4])
            text += f" op={op if 1 <= op <= issues else '?'}"
        yield text + "".join(f" {name}={value}" for name, value in zip(FIELDS[2:], values[2:]) if value and name != "age")


def choice_lines(payload, version, count, show):
    """The lines; returns how many choices there are now."""
    for kind, bound, answer, times in choices(payload, version):
        for number in range(count, count + times if show else 0):
            yield f"choice {number}: {KINDS[kind]} {answer}" + (f" of {bound}" if bound else "")
        count += times
    return count


def report(data, show_choices):
    """The lines, one after the other. What is good is told before what is damaged is."""
    stream = blocks(data)
    type_, payload = next(stream, (None, b""))
    if type_ != HEADER:
        raise Damaged("it has no header")
    header = fields(payload)
    version = 1 if dict(reversed(header)).get(b"version", b"1") == b"1" else 2
    yield from (f"header {line(k)}: {line(v)}" for k, v in header)
    records, count, damage, rest = Records(), 0, None, []
    for of_choices in (False, True):
        try:
            for type_, payload in blocks(data):
                if type_ == RESULT or type_ == END:
                    break
                if type_ == SHAPES and not of_choices:
                    records.take_shapes(payload)
                elif type_ == RECORDS and not of_choices:
                    yield from record_lines(records, payload)
                elif type_ == CHOICES and of_choices:
                    count = yield from choice_lines(payload, version, count, show_choices)
        except Damaged as error:
            damage = error
        yield f"choices {count}" if of_choices else f"records {records.count}"
    if not damage:
        try:
            rest = [(type_, payload) for type_, payload in blocks(data) if type_ in (RESULT, END)]
        except Damaged as error:
            damage = error
    for type_, payload in rest[:1]:
        if type_ == RESULT:
            yield from (f"result {line(k)}: {line(v)}" for k, v in fields(payload))
    if damage:
        raise damage
    yield "end" if rest and rest[-1][0] == END else "cut short: the end is missing"


def main(arguments):
    show_choices = "--choices" in arguments
    paths = [a for a in arguments if a != "--choices"]
    if len(paths) != 1:
        sys.exit("usage: read_trace.py [--choices] TRACE")
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        with open(paths[0], "rb") as file:
            data = file.read()
        for text in report(data, show_choices):
            print(text)
    except (OSError, Damaged) as error:
        sys.stdout.flush()
        print(f"read_trace.py: {paths[0]}: {error}", file=sys.stderr)
        return 65
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
