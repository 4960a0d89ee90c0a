"""The expectation in the head comment of a test program, and whether a run met it (format: tests/README.md).

Parsing is strict: an unknown directive, option or key is an error, for a misspelt expectation that is skipped would let
a test pass without testing. Matching goes both ways: every expected finding must be there, and every finding expected.
"""
import itertools
import os
import re
import shlex

CLASSES = ("race", "hang", "mismatch", "bad-address", "lifetime", "uninit", "usage", "leak", "crash",
           "note")
DIRECTIVE = re.compile(r"^(VARIANT(?= )|RUN|EXPECT some|EXPECT maybe|EXPECT|STDOUT~|STDERR!~|STDERR~|STDOUT|VALUES|STATUS|"
                       r"FLAGS|SOURCES)(?::|(?<=~)|(?<=VARIANT))\s*(.*)$")
LOOKS_LIKE_DIRECTIVE = re.compile(r"^([A-Z]{3,}[A-Za-z!~ ]{0,8}):(\s|$)")
MARK = re.compile(r"(?://|/\*)\s*<-\s*([A-Za-z][\w ]*?)\s*(?:\*/.*)?$")
MATRIX = ("n", "seeds", "nets", "choosers", "rules", "contexts", "heaps", "hooks", "backends")
MATRIX_DEFAULT = {"n": "2", "seeds": "1..3", "nets": "reorder", "choosers": "random,adversarial", "rules": "common",
                  "contexts": "fiber", "heaps": "direct", "hooks": "yes", "backends": "sim"}
# These make no difference to a backend that makes no choices: it is run once for all of them.
SIM_ONLY = ("seeds", "nets", "choosers", "rules", "contexts")


class FormatError(Exception):
    """The expectation itself is wrong."""


def number_list(text):
    """"1..3,7" as [1, 2, 3, 7]; words stay words."""
    items = []
    for part in text.split(","):
        span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", part)
        if span:
            items += [str(i) for i in range(int(span[1]), int(span[2]) + 1)]
        elif part:
            items.append(part)
    if not items:
        raise FormatError(f"empty list '{text}'")
    return items


class Finding:
    """One EXPECT line."""

    def __init__(self, modality, text, marks):
        self.modality, self.text = modality, text
        self.object = self.allocated = self.rule = None
        self.on, self.parts, self.accesses = None, [], []
        self.open_ended, self.times = False, (1, 1)
        self.predicted = False
        words = shlex.split(text)
        self.class_ = words[0]
        if self.class_ not in CLASSES:
            raise FormatError(f"unknown class '{self.class_}' in '{text}'")
        for word in words[1:]:
            self._word(word, marks)
        if self.class_ == "race" and len(self.accesses) < 2:
            raise FormatError(f"a race names its two accesses: '{text}'")

    def _word(self, word, marks):
        pair = re.fullmatch(r"(object|on|rule|allocated|times)=(.*)", word)
        part = re.fullmatch(r"(message|repair|luck)~(.*)", word)
        access = re.fullmatch(r"([A-Z]\w*)(?:=([\w*]+))?(?::([a-z]+))?(?:@([\d,.]+))?", word)
        if word == "...":
            self.open_ended = True
        elif word == "predicted":
            self.predicted = True
        elif part:
            self.parts.append((part[1], part[2].lower()))
        elif pair and pair[1] == "on":
            self.on = [int(p) for p in number_list(pair[2])]
        elif pair and pair[1] == "times":
            low, _, high = pair[2].partition("..")
            self.times = (int(low), (int(high) if high else 10**9) if ".." in pair[2] else int(low))
        elif pair and pair[1] == "allocated":
            self.allocated = self._places(pair[2], marks)
        elif pair:
            setattr(self, pair[1], pair[2])
        elif access:
            mark, op, kind, pes = access.groups()
            pes = [int(p) for p in number_list(pes)] if pes else None
            self.accesses.append((self._places(mark, marks), None if op == "*" else op, kind, pes))
        else:
            raise FormatError(f"cannot read '{word}' in '{self.text}'")

    @staticmethod
    def _places(mark, marks):
        if mark not in marks:
            raise FormatError(f"no line of the file is marked '// <- {mark}'")
        return marks[mark]

    def fits(self, finding):
        """Why `finding` of a report is not this one, or None when it is."""
        if finding.get("class") != self.class_:
            return "class"
        obj = finding.get("object") or {}
        if self.object is not None and obj.get("name") != self.object:
            return f"object is '{obj.get('name')}'"
        if self.on is not None and obj.get("pe") not in self.on:
            return f"object is on PE {obj.get('pe')}"
        if self.allocated is not None and not at(obj.get("allocated") or {}, self.allocated):
            return f"object was allocated at {place(obj.get('allocated') or {})}"
        if self.rule is not None and self.rule not in (finding.get("rule") or ""):
            return f"rule is '{finding.get('rule')}'"
        if self.predicted != bool(finding.get("predicted")):
            return "it is not predicted" if self.predicted else "it is predicted"
        for key, text in self.parts:
            if text not in (finding.get(key) or "").lower():
                return f"{key} is '{finding.get(key)}'"
        return self._accesses_fit(finding.get("accesses") or [])

    def _accesses_fit(self, accesses):
        if not self.accesses:
            return None
        if len(accesses) < len(self.accesses) or (len(accesses) > len(self.accesses) and not self.open_ended):
            return f"it has {len(accesses)} accesses"

        def one_fits(want, access):
            places, op, kind, pes = want
            return (at(access, places) and (op is None or op in (access.get("op") or ""))
                    and (kind is None or kind == access.get("kind")) and (pes is None or access.get("pe") in pes))
        # A handful at most, so trying all assignments is the clearest.
        for chosen in itertools.permutations(accesses, len(self.accesses)):
            if all(one_fits(w, a) for w, a in zip(self.accesses, chosen)):
                return None
        return "accesses are " + ", ".join(f"PE {a.get('pe')} {a.get('op')} ({a.get('kind')}) at {place(a)}"
                                           for a in accesses)


def at(access, places):
    return (os.path.basename(access.get("file") or ""), access.get("line")) in places


def place(access):
    return f"{os.path.basename(access.get('file') or '?')}:{access.get('line', 0)}"


class Values:
    """One VALUES line; what was seen is collected over all runs of the variant."""

    def __init__(self, text):
        words = shlex.split(text)
        if len(words) < 2:
            raise FormatError(f"VALUES: name and values, not '{text}'")
        self.text, self.name, self.allowed, self.distinct = text, words[0], set(), 1
        for word in words[1:]:
            if word.startswith("distinct="):
                self.distinct = int(word[9:])
            else:
                self.allowed |= set(number_list(word))

    def seen_in(self, stdout):
        return re.findall(r"(?<![\w.])" + re.escape(self.name) + r"=(\S+?)(?=[\s,;]|$)", stdout)


class Run:
    """One combination of a RUN line."""

    def __init__(self, axes, extra):
        self.__dict__.update(axes)
        self.env, self.args, self.options, self.status, self.timeout = extra

    def arguments(self):
        words = ["-n", self.n]
        if self.backends == "sim":
            words += ["--seed", self.seeds, "--net", self.nets, "--chooser", self.choosers, "--rules", self.rules,
                      "--pe-context", self.contexts]
        if self.heaps != "direct":
            words += ["--heap", self.heaps]
        return words + self.options


def expand_run(text):
    """The runs of one RUN line."""
    axes, env, args, options, status, timeout = dict(MATRIX_DEFAULT), {}, [], [], None, 60
    words = shlex.split(text)
    while words:
        word = words.pop(0)
        key, _, value = word.partition("=")
        if not key.startswith("-"):
            raise FormatError(f"RUN: '{word}' is not an option")
        if not _:
            if not words:
                raise FormatError(f"RUN: {word} needs a value")
            value = words.pop(0)
        key = key.lstrip("-")
        if key in MATRIX:
            axes[key] = value
        elif key == "env":
            name, _, setting = value.partition("=")
            env[name] = setting
        elif key == "args":
            args += shlex.split(value)
        elif key == "options":
            options += shlex.split(value)
        elif key == "status":
            status = int(value)
        elif key == "timeout":
            timeout = int(value)
        else:
            raise FormatError(f"RUN: unknown option --{key}")
    extra = (env, args, options, status, timeout)
    runs, direct_seen = [], set()
    for values in itertools.product(*(number_list(axes[k]) for k in MATRIX)):
        combination = dict(zip(MATRIX, values))
        if combination["backends"] != "sim":
            rest = tuple(v for k, v in combination.items() if k not in SIM_ONLY)
            if rest in direct_seen:
                continue
            direct_seen.add(rest)
        runs.append(Run(combination, extra))
    return runs


class Variant:
    def __init__(self, name, flags):
        self.name, self.flags = name, flags
        self.runs, self.clean, self.findings, self.stdout = [], False, [], None
        self.contains, self.values, self.status = [], [], None

    @property
    def has_expectation(self):
        return self.clean or bool(self.findings)


def head_comment(source):
    """Lines of the file's first comment, without the comment's own marks."""
    text = source.lstrip()
    if text.startswith("/*"):
        lines = text[2:].partition("*/")[0].splitlines()
        return [re.sub(r"^\s*\*\s?", "", line).strip() for line in lines]
    lines = itertools.takewhile(lambda line: line.lstrip().startswith("//"), text.splitlines())
    return [re.sub(r"^\s*//+\s?", "", line).strip() for line in lines]


def read_marks(paths):
    """Places (file name, line) of each mark `// <- A`. A mark of the first file hides those of the same name in others."""
    marks = {}
    for path in paths:
        known = set(marks)
        with open(path, encoding="utf-8") as file:
            lines = [line.rstrip() for line in file]
        for number, line in enumerate(lines, 1):
            found = MARK.search(line)
            for mark in set(found[1].split() if found else []) - known:
                first = expression_start(lines, number)
                marks.setdefault(mark, set()).update((os.path.basename(path), n) for n in range(first, number + 1))
    return marks


def expression_start(lines, number):
    """A call may be broken over lines, with the mark at its end, and compilers differ in the line that they give to it."""
    while number > 1 and re.search(r"[,(=+*/&|?<-]$", lines[number - 2]) and "<-" not in lines[number - 2]:
        number -= 1
    return number


def parse(path):
    """(variants, flags, other sources) of a test program."""
    with open(path, encoding="utf-8") as file:
        head = head_comment(file.read())
    sources = [s for line in head if line.startswith("SOURCES:") for s in shlex.split(line[8:])]
    marks = read_marks([path] + [os.path.join(os.path.dirname(path), s) for s in sources])
    variants, flags = [Variant("main", [])], []
    for line in head:
        directive = DIRECTIVE.match(line)
        if not directive:
            if LOOKS_LIKE_DIRECTIVE.match(line):
                raise FormatError(f"unknown directive '{line}'")
            continue
        key, text = directive[1], directive[2].strip()
        if key == "VARIANT":
            name, _, rest = text.partition(":")
            if not re.fullmatch(r"[\w-]+", name.strip()) or any(v.name == name.strip() for v in variants):
                raise FormatError(f"VARIANT: bad or repeated name '{name}'")
            variants.append(Variant(name.strip(), shlex.split(rest)))
        elif key == "FLAGS":
            flags += shlex.split(text)
        elif key != "SOURCES":
            apply(variants[-1], key, text, marks)
    return finish(variants), flags, sources


def apply(variant, key, text, marks):
    if key == "RUN":
        variant.runs += expand_run(text)
    elif key == "EXPECT" and text == "clean":
        variant.clean = True
    elif key.startswith("EXPECT"):
        variant.findings.append(Finding(key[7:] or "all", text, marks))
    elif key == "STDOUT":
        variant.stdout = (variant.stdout or []) + ([] if text == "(none)" else [text])
    elif key in ("STDOUT~", "STDERR~", "STDERR!~"):
        variant.contains.append((key, text))
    elif key == "VALUES":
        variant.values.append(Values(text))
    elif key == "STATUS":
        variant.status = int(text)


def finish(variants):
    main = variants[0]
    used = [v for v in variants if v.has_expectation]
    for variant in variants:
        if not variant.has_expectation and (variant is not main or len(variants) == 1):
            raise FormatError(f"variant '{variant.name}' says nothing about what is expected (EXPECT)")
        if variant.clean and any(f.modality != "maybe" for f in variant.findings):
            raise FormatError(f"variant '{variant.name}' expects clean and findings at once")
        variant.runs = variant.runs or main.runs or expand_run("")
    return used


def check_findings(variant, report):
    """(what is wrong, indexes of the EXPECT lines that were met)."""
    findings = report["findings"] + report.get("notes", [])
    met = [0] * len(variant.findings)
    errors = []
    order = sorted(range(len(variant.findings)), key=lambda i: ("all", "some", "maybe").index(variant.findings[i].modality))
    for finding in findings:
        reasons = []
        for i in order:
            reason = variant.findings[i].fits(finding)
            if reason is None and met[i] < variant.findings[i].times[1]:
                met[i] += 1
                break
            if reason != "class":
                reasons.append(f"\n      not '{variant.findings[i].text}': {reason or 'too many of it'}")
        else:
            places = ", ".join(f"PE {a.get('pe')} {a.get('op')} at {place(a)}" for a in finding.get("accesses") or [])
            errors.append(f"finding not expected: {finding.get('class')}: {finding.get('message')} [{places}]"
                          + "".join(reasons))
    for i, want in enumerate(variant.findings):
        if want.modality == "all" and met[i] < want.times[0]:
            errors.append(f"expected finding is missing ({met[i]} of {want.times[0]}): {want.text}")
    return errors, [i for i, count in enumerate(met) if count]


def check_output(variant, stdout, stderr):
    errors = []
    if variant.stdout is not None:
        want, came = sorted(variant.stdout), sorted(line.strip() for line in stdout.splitlines())
        for line in sorted(set(want + came)):
            if want.count(line) != came.count(line):
                errors.append(f"stdout: line '{line}' expected {want.count(line)} times, came {came.count(line)} times")
    for key, text in variant.contains:
        inside = text in (stdout if key == "STDOUT~" else stderr)
        if inside == (key == "STDERR!~"):
            errors.append(f"{key[:6].lower()}: '{text}' is {'' if inside else 'not '}in it")
    for values in variant.values:
        for value in values.seen_in(stdout):
            if value not in values.allowed:
                errors.append(f"{values.name}={value} printed, not one of: {values.text}")
    return errors
