#!/usr/bin/env python3
"""The interface, against the specification: which names the libraries export, and that the headers compile everywhere.

The names are generated here a second time, from the specification's tables (types of 4.1, patterns and counts of 4.2 in the
digest of OpenSHMEM 1.6), and not from the headers: a row that is missing in shmem_types.h is a name that is missing here.
"""
import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from harness import tool  # noqa: E402

RMA = ("float double longdouble char schar short int long longlong uchar ushort uint ulong ulonglong "
       "int8 int16 int32 int64 uint8 uint16 uint32 uint64 size ptrdiff").split()
STANDARD = "int long longlong uint ulong ulonglong int32 int64 uint32 uint64 size ptrdiff".split()
EXTENDED = ["float", "double"] + STANDARD
BITWISE = "uint ulong ulonglong int32 int64 uint32 uint64".split()
REDUCE_BITWISE = "uchar ushort uint ulong ulonglong int8 int16 int32 int64 uint8 uint16 uint32 uint64 size".split()
ARITHMETIC = RMA + ["complexd", "complexf"]
SIZES = "8 16 32 64 128".split()
C_TYPES = {"float": "float", "double": "double", "longdouble": "long double", "char": "char", "schar": "signed char",
           "short": "short", "int": "int", "long": "long", "longlong": "long long", "uchar": "unsigned char",
           "ushort": "unsigned short", "uint": "unsigned int", "ulong": "unsigned long", "ulonglong": "unsigned long long",
           "size": "size_t", "ptrdiff": "ptrdiff_t", "complexd": "double _Complex", "complexf": "float _Complex"}
C_TYPES.update({f"{u}int{b}": f"{u}int{b}_t" for u in ("", "u") for b in SIZES[:4]})


def typed(types, *patterns):
    return [p.replace("N", t) for p in patterns for t in types]


def with_context(names):
    return names + ["ctx_" + n for n in names]


WAITS = [f"N_{verb}{form}{vector}" for verb in ("wait_until", "test") for form in ("", "_all", "_any", "_some")
         for vector in ("", "_vector") if form or not vector]
PUTS = typed(RMA, "N_put") + typed(SIZES, "putN") + ["putmem"]

# Family: names without shmem_, and how many the specification has.
FAMILIES = {
    "setup": ("""init my_pe n_pes finalize query_initialized global_exit pe_accessible addr_accessible ptr team_ptr
                 info_get_version info_get_name""".split(), 12),
    "threads": (["init_thread", "query_thread"], 2),
    "memory": ("malloc calloc align malloc_with_hints realloc free".split(), 6),
    "teams": ("team_my_pe team_n_pes team_get_config team_translate_pe team_split_strided team_split_2d team_destroy".split(), 7),
    "contexts": ("ctx_create team_create_ctx ctx_destroy ctx_get_team".split(), 4),
    "rma": (with_context(PUTS + typed(RMA, "N_p", "N_iput", "N_ibput", "N_g", "N_iget", "N_ibget", "N_get", "N_put_nbi", "N_get_nbi")
                         + typed(SIZES, "iputN", "ibputN", "igetN", "ibgetN", "getN", "putN_nbi", "getN_nbi")
                         + ["getmem", "putmem_nbi", "getmem_nbi"]), 568),
    "amo": (with_context(typed(EXTENDED, "N_atomic_fetch", "N_atomic_set", "N_atomic_swap")
                         + typed(STANDARD, "N_atomic_compare_swap", "N_atomic_fetch_inc", "N_atomic_inc", "N_atomic_fetch_add",
                                 "N_atomic_add")
                         + [n for op in ("and", "or", "xor") for n in typed(BITWISE, f"N_atomic_fetch_{op}", f"N_atomic_{op}")]), 288),
    "amo_nbi": (with_context(typed(EXTENDED, "N_atomic_fetch_nbi", "N_atomic_swap_nbi")
                             + typed(STANDARD, "N_atomic_compare_swap_nbi", "N_atomic_fetch_inc_nbi", "N_atomic_fetch_add_nbi")
                             + [n for op in ("and", "or", "xor") for n in typed(BITWISE, f"N_atomic_fetch_{op}_nbi")]), 170),
    "signals": (with_context([f"{p}_signal{nbi}" for p in PUTS for nbi in ("", "_nbi")] + ["signal_add", "signal_set"])
                + ["signal_fetch"], 125),
    "sessions": (["ctx_session_start", "ctx_session_stop"], 2),
    "collectives": (["barrier_all", "sync_all", "team_sync"]
                    + typed(RMA + [""], "N_broadcast", "N_collect", "N_fcollect", "N_alltoall", "N_alltoalls")
                    + typed(REDUCE_BITWISE, "N_and_reduce", "N_or_reduce", "N_xor_reduce")
                    + typed(RMA, "N_max_reduce", "N_min_reduce")
                    + typed(ARITHMETIC, "N_sum_reduce", "N_prod_reduce", "N_sum_inscan", "N_sum_exscan"), 322),
    "waits": (typed(STANDARD, *WAITS) + ["signal_wait_until"], 169),
    "ordering": (with_context(["fence", "quiet", "pe_quiet"]), 6),
    "locks": ("set_lock clear_lock test_lock".split(), 3),
    "profiling": (["pcontrol"], 1),
}

INTEGERS = ["int", "long", "longlong"]
SHORT = ["short"] + INTEGERS
REAL = SHORT + ["float", "double", "longdouble"]
# Deprecated, still demanded (4.3). Those without the prefix have a profiling name with a p in front.
DEPRECATED = {
    "start": (["start_pes", "_my_pe", "_num_pes"], 3),
    "heap": (["shmalloc", "shfree", "shrealloc", "shmemalign"], 4),
    "amo": (["shmem_" + n for n in typed(INTEGERS + ["float", "double"], "N_fetch", "N_set", "N_swap")
             + typed(INTEGERS, "N_cswap", "N_finc", "N_inc", "N_fadd", "N_add")], 30),
    "active_sets": (["shmem_barrier", "shmem_sync"] + typed(
        ["32", "64"], *(f"shmem_{c}N" for c in ("alltoall", "alltoalls", "broadcast", "collect", "fcollect"))), 12),
    "to_all": (["shmem_" + n for n in typed(SHORT, "N_and_to_all", "N_or_to_all", "N_xor_to_all")
                + typed(REAL, "N_max_to_all", "N_min_to_all")
                + typed(REAL + ["complexd", "complexf"], "N_sum_to_all", "N_prod_to_all")], 44),
    "wait": (["shmem_wait_until", "shmem_wait"] + typed(SHORT, "shmem_N_wait"), 6),
    "short": (typed(["short", "ushort"], "shmem_N_wait_until", "shmem_N_test"), 4),
}
OLD = {n for names, _ in DEPRECATED.values() for n in names}
CONSTANTS = """THREAD_SINGLE THREAD_FUNNELED THREAD_SERIALIZED THREAD_MULTIPLE TEAM_NUM_CONTEXTS TEAM_INVALID CTX_INVALID CTX_SERIALIZED
    CTX_PRIVATE CTX_NOSTORE CTX_SESSION_TOTAL_OPS CTX_SESSION_BATCH SIGNAL_SET SIGNAL_ADD MALLOC_ATOMICS_REMOTE MALLOC_SIGNAL_REMOTE
    MAJOR_VERSION MINOR_VERSION MAX_NAME_LEN VENDOR_STRING CMP_EQ CMP_NE CMP_LT CMP_LE CMP_GT CMP_GE TEAM_WORLD TEAM_SHARED
    CTX_DEFAULT""".split()
OLD_CONSTANTS = """SYNC_VALUE SYNC_SIZE BCAST_SYNC_SIZE REDUCE_SYNC_SIZE BARRIER_SYNC_SIZE COLLECT_SYNC_SIZE ALLTOALL_SYNC_SIZE
    ALLTOALLS_SYNC_SIZE REDUCE_MIN_WRKDATA_SIZE""".split()
OLD_TWINS = """SYNC_VALUE BCAST_SYNC_SIZE REDUCE_SYNC_SIZE BARRIER_SYNC_SIZE COLLECT_SYNC_SIZE REDUCE_MIN_WRKDATA_SIZE MAJOR_VERSION
    MINOR_VERSION MAX_NAME_LEN VENDOR_STRING CMP_EQ CMP_NE CMP_LT CMP_LE CMP_GT CMP_GE""".split()


def current_names():
    """Mem forms of collectives are called shmem_broadcastmem."""
    names = {n[1:] + "mem" if n.startswith("_") else n for family, _ in FAMILIES.values() for n in family}
    return names | {n[len("shmem_"):] for n in OLD if n.startswith("shmem_")}


class Names(unittest.TestCase):
    def test_counts_are_those_of_the_specification(self):
        for family, (names, count) in FAMILIES.items():
            self.assertEqual(len(set(names)), count, family)
        self.assertEqual(sum(count for _, count in FAMILIES.values()), 1685)
        for family, (names, count) in DEPRECATED.items():
            self.assertEqual(len(set(names)), count, family)
        self.assertEqual(len(OLD), 103)
        self.assertEqual((len(CONSTANTS), len(OLD_CONSTANTS), len(OLD_TWINS)), (29, 9, 16))

    def exported(self, library):
        listed = tool.must(["nm", "-D", "--defined-only", os.path.join(os.path.dirname(tool.BIN), "lib", library)]).stdout
        return {line.split()[2]: line.split()[1] for line in listed.splitlines()}

    def test_libraries_export_every_name_twice_and_no_other(self):
        for library in ("libfencepost_sim.so", "libfencepost_direct.so"):
            symbols = self.exported(library)
            for prefix in ("shmem_", "pshmem_"):
                there = {s[len(prefix):] for s in symbols if s.startswith(prefix)}
                self.assertEqual(sorted(current_names() - there), [], f"{library}: missing {prefix}")
                self.assertEqual(sorted(there - current_names()), [], f"{library}: in no table: {prefix}")
            for name in current_names():
                self.assertEqual((symbols["shmem_" + name], symbols["pshmem_" + name]), ("W", "T"), name)
            for name in (n for n in OLD if not n.startswith("shmem_")):
                self.assertEqual((symbols.get(name), symbols.get("p" + name)), ("W", "T"), name)
            ours = [n for n in symbols if n.startswith("shmem_") or n in OLD]
            self.assertEqual(len(ours), 1788, library)

    def test_profiling_names_are_declared(self):
        """Both headers declare exactly the names that are exported."""
        for header, prefix in (("shmem.h", "shmem_"), ("pshmem.h", "pshmem_")):
            text = tool.must([tool.tool("oshcc"), "-E", "-P", "-x", "c", "-std=c99", "-include", header, "/dev/null"]).stdout
            declared = set(re.findall(rf"\b{prefix}(\w+)\s*\(", text))
            self.assertEqual(declared ^ current_names(), set(), header)
            for name in (n for n in OLD if not n.startswith("shmem_")):
                self.assertRegex(text, rf"\b{prefix[:-6]}{name}\s*\(")


# Each generic name with the arguments of its C form, for a pointer d, s of the type, k const, v a value. x: also behind a context.
GENERICS = [
    ("x", RMA, "put get put_nbi get_nbi", ["d, s, 4, pe", "d, k, 4, pe"]),
    ("x", RMA, "p", ["d, v, pe"]), ("x", RMA, "g", ["s, pe", "k, pe"]),
    ("x", RMA, "iput iget", ["d, s, 1, 2, 2, pe"]), ("x", RMA, "ibput ibget", ["d, k, 1, 2, 1, 2, pe"]),
    ("x", EXTENDED, "atomic_fetch", ["s, pe", "k, pe"]), ("x", EXTENDED, "atomic_set atomic_swap", ["d, v, pe"]),
    ("x", EXTENDED, "atomic_fetch_nbi", ["d, k, pe"]), ("x", EXTENDED, "atomic_swap_nbi", ["s, d, v, pe"]),
    ("x", STANDARD, "atomic_compare_swap", ["d, v, 1, pe"]), ("x", STANDARD, "atomic_fetch_inc atomic_inc", ["d, pe"]),
    ("x", STANDARD, "atomic_fetch_add atomic_add", ["d, v, pe"]),
    ("x", STANDARD, "atomic_compare_swap_nbi", ["s, d, v, v, pe"]), ("x", STANDARD, "atomic_fetch_inc_nbi", ["s, d, pe"]),
    ("x", STANDARD, "atomic_fetch_add_nbi", ["s, d, v, pe"]),
    ("x", BITWISE, "atomic_and atomic_or atomic_xor atomic_fetch_and atomic_fetch_or atomic_fetch_xor", ["d, v, pe"]),
    ("x", BITWISE, "atomic_fetch_and_nbi atomic_fetch_or_nbi atomic_fetch_xor_nbi", ["s, d, v, pe"]),
    ("x", RMA, "put_signal put_signal_nbi", ["d, k, 4, &sig, 1, SHMEM_SIGNAL_ADD, pe"]),
    ("x", ["uint64"], "signal_add signal_set", ["d, 1, pe"]),
    ("", ["int"], "sync", ["team", "0, 0, 1, psync"]),
    ("", RMA, "broadcast", ["team, d, k, 1, pe"]), ("", RMA, "collect fcollect alltoall", ["team, d, s, 1"]),
    ("", RMA, "alltoalls", ["team, d, s, 1, 1, 1"]),
    ("", REDUCE_BITWISE, "and_reduce or_reduce xor_reduce", ["team, d, s, 1"]),
    ("", RMA, "max_reduce min_reduce", ["team, d, k, 1"]),
    ("", ARITHMETIC, "sum_reduce prod_reduce sum_inscan sum_exscan", ["team, d, s, 1"]),
    ("", STANDARD + ["short", "ushort"], "wait_until test", ["d, SHMEM_CMP_EQ, v"]),
    ("", STANDARD, "wait_until_all wait_until_any test_all test_any", ["d, 4, NULL, SHMEM_CMP_EQ, v"]),
    ("", STANDARD, "wait_until_some test_some", ["d, 4, indices, NULL, SHMEM_CMP_EQ, 1"]),
    ("", STANDARD, "wait_until_all_vector wait_until_any_vector test_all_vector test_any_vector", ["d, 4, NULL, SHMEM_CMP_EQ, k"]),
    ("", STANDARD, "wait_until_some_vector test_some_vector", ["d, 4, indices, NULL, SHMEM_CMP_EQ, s"]),
]
OLD_GENERICS = [
    ("", INTEGERS + ["float", "double"], "fetch", ["s, pe", "k, pe"]), ("", INTEGERS + ["float", "double"], "set swap", ["d, v, pe"]),
    ("", INTEGERS, "cswap", ["d, v, v, pe"]), ("", INTEGERS, "finc inc", ["d, pe"]), ("", INTEGERS, "fadd add", ["d, v, pe"]),
]


def dispatched():
    """The routines that the program above must call: types that are one C type share the first name."""
    one = {"int8": "schar", "int16": "short", "int32": "int", "int64": "long", "ptrdiff": "long", "uint8": "uchar", "uint16": "ushort",
           "uint32": "uint", "uint64": "ulong", "size": "ulong"}
    names = set()
    for behind_context, types, generics, _ in GENERICS + OLD_GENERICS:
        for generic in generics.split():
            if generic == "sync":
                names |= {"shmem_sync", "shmem_team_sync"}
            elif generic.startswith("signal_"):
                names |= {"shmem_" + generic, "shmem_ctx_" + generic}
            else:
                for name in types:
                    c_name = one.get(name, name)
                    if c_name not in types:  # its C type has a row under this name only
                        c_name = {"int": "int32", "long": "int64", "schar": "int8", "short": "int16"}[c_name]
                    names |= {f"shmem_{ctx}{c_name}_{generic}" for ctx in (("", "ctx_") if behind_context else ("",))}
    return names


def generic_program():
    """One function for each generic and type, and the number of generics."""
    lines = ["#include <shmem.h>", "extern shmem_ctx_t ctx; extern shmem_team_t team; extern size_t indices[4]; extern uint64_t sig; "
             "extern long psync[SHMEM_SYNC_SIZE];"]
    names = 0
    for behind_context, types, generics, calls in GENERICS + OLD_GENERICS:
        names += len(generics.split())
        for generic in generics.split():
            for name in types:
                ctype = C_TYPES[name]
                body = "".join(f"(void)shmem_{generic}({prefix}{call}); " for call in calls
                               for prefix in (("", "ctx, ", "SHMEM_CTX_DEFAULT, ") if behind_context else ("",)))
                lines.append(f"void use_{generic}_{name}({ctype} *d, {ctype} *s, const {ctype} *k, {ctype} v, int pe);\n"
                             f"void use_{generic}_{name}({ctype} *d, {ctype} *s, const {ctype} *k, {ctype} v, int pe)\n"
                             f"{{ (void)d, (void)s, (void)k, (void)v, (void)pe; {body}}}")
    return "\n".join(lines) + "\n", names


class Headers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def compile(self, compiler, wrapper, source, *words, status=0):
        if not shutil.which(compiler):
            self.skipTest(f"{compiler} is not installed")
        variable = "OSHCC_CXX" if wrapper == "oshc++" else "OSHCC_CC"
        done = tool.run([tool.tool(wrapper), "-Wall", "-Wextra", "-Wpedantic", "-Werror", *words, "-c", source, "-o",
                         os.path.join(self.folder, "out.o")], env=tool.environment(**{variable: compiler}))
        self.assertEqual(done.returncode, status, done.stderr[:4000])
        return done

    def test_every_generic_with_every_type(self):
        program, names = generic_program()
        self.assertEqual(names, 65 + 8)
        source = tool.write(os.path.join(self.folder, "generics.c"), program)
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler=compiler):
                self.compile(compiler, "oshcc", source, "-std=c11")
                symbols = tool.must(["nm", "-u", os.path.join(self.folder, "out.o")]).stdout
                self.assertEqual({s for s in symbols.split() if s.startswith("shmem_")} ^ dispatched(), set())

    def test_unsupported_type_is_refused(self):
        source = tool.write(os.path.join(self.folder, "bad.c"),
                            "#include <shmem.h>\nvoid f(char *x);\nvoid f(char *x) { shmem_atomic_inc(x, 0); }\n")
        for compiler in ("gcc", "clang"):
            with self.subTest(compiler=compiler):
                self.assertIn("no_such_type", self.compile(compiler, "oshcc", source, "-std=c11", status=1).stderr)

    def test_constants(self):
        names = ["SHMEM_" + n for n in CONSTANTS + OLD_CONSTANTS] + ["_SHMEM_" + n for n in OLD_TWINS]
        text = "#include <shmem.h>\n" + "".join(f"#ifndef {n}\n#error {n}\n#endif\n" for n in names)
        text += "long psync[_SHMEM_BCAST_SYNC_SIZE] = {SHMEM_SYNC_VALUE};\n"
        for c in OLD_CONSTANTS[2:8]:
            text += f"_Static_assert(SHMEM_{c} <= SHMEM_SYNC_SIZE && SHMEM_{c} > 0, \"{c}\");\n"
        self.compile("gcc", "oshcc", tool.write(os.path.join(self.folder, "constants.c"), text), "-std=c11")

    def test_headers_in_every_dialect(self):
        text = "#include <shmem.h>\n#include <pshmem.h>\n#include <shmemx.h>\n#include <mpp/shmem.h>\n"
        c = tool.write(os.path.join(self.folder, "h.c"), text)
        cpp = tool.write(os.path.join(self.folder, "h.cpp"), text + "#include <complex>\nvoid f(std::complex<double> *d);\n"
                         "void f(std::complex<double> *d) { shmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, d, d, 1); }\n")
        for compiler in ("gcc", "clang"):
            for dialect in ("c99", "gnu99", "c11", "gnu17"):
                with self.subTest(compiler=compiler, dialect=dialect):
                    self.compile(compiler, "oshcc", c, "-std=" + dialect)
        for compiler in ("g++", "clang++"):
            for dialect in ("c++11", "c++17", "gnu++20"):
                with self.subTest(compiler=compiler, dialect=dialect):
                    self.compile(compiler, "oshc++", cpp, "-std=" + dialect)


if __name__ == "__main__":
    tool.main()
