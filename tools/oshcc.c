/* oshcc.c -- the compiler wrapper: oshcc for C, oshc++ (also oshCC) for C++.
 *
 * It runs the user's compiler with what a program for Fencepost needs, and hands every other argument through
 * untouched:
 *
 *   - the include folder; -g and -fno-omit-frame-pointer, since findings name lines and stacks;
 *   - external data only through the global offset table: PEs other than 0 run in copies of the program, and a copy
 *     relocation would give each a stale copy of a library's variable (design: PEs, images, contexts);
 *   - when linking: -pie, the backend's library before all others, so that its entry points win, and its folder as
 * rpath.
 *
 * A .cu file is nvcc's, which hands to the host's compiler and to the linker only what it is told to hand on. Its
 * default stream is made the thread's, since PEs are threads that may share a GPU.
 *
 * -fsanitize=shmem makes the compiler proper instrument plain loads and stores as for the thread sanitizer, without the
 * driver knowing: it would link that sanitizer's runtime. gcc is told by a specs file, clang by -Xclang. So compiling
 * and linking in one command needs no second command. With the gcc that Fencepost's plugin was made for (tools/hooks),
 * the hooks leave inner loops; OSHCC_PLUGIN=no does without it.
 */
#include "tools/arguments.h"
#include "tools/home.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

static const char help[] =
    "usage: %s [-fsanitize=shmem] [--backend=sim|direct|gpu] [--show] ARGUMENTS OF THE COMPILER...\n"
    "\n"
    "Compiles and links OpenSHMEM programs. Everything that is not listed here goes to the compiler as it is.\n"
    "\n"
    "  -fsanitize=shmem    plain loads and stores are seen too (half of all races need that)\n"
    "  --backend=NAME      sim (default): simulated network, every check; direct: free-running threads; gpu: CUDA\n"
    "  --show              print the compiler's command instead of running it, and which hooks there will be\n"
    "\n"
    "Added when compiling: the include folder, -fno-omit-frame-pointer, position-independent code without copy\n"
    "relocations, and -g where no -g option is given (findings name source lines; -g0 turns it off).\n"
    "Added when linking a program: -pie, the backend's library and its folder as rpath. A shared library (-shared)\n"
    "is linked with a backend only where --backend= asks for it: the program that loads it brings one.\n"
    "\n"
    "The compiler is $OSHCC_CC, $CC or gcc (oshc++: $OSHCC_CXX, $CXX or g++); clang works as well. Where a .cu file "
    "is\n"
    "among the arguments it is $OSHCC_NVCC or nvcc, and the backend is gpu.\n";

/* Options whose value is the next argument, which must not be taken for an input file. */
static const char *const valued[] = {
    "-o",
    "-D",
    "-U",
    "-I",
    "-L",
    "-l",
    "-x",
    "-T",
    "-u",
    "-z",
    "-e",
    "-A",
    "-B",
    "-G",
    "-h",
    "-R",
    "-MF",
    "-MT",
    "-MQ",
    "-include",
    "-imacros",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isystem",
    "-isysroot",
    "-iquote",
    "-imultilib",
    "-include-pch",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-aux-info",
    "--param",
    "--sysroot",
    "-target",
    "-mllvm",
    "-arch",
    "-wrapper",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-Ttext",
    "-Tdata",
    "-Tbss",
    "-rpath",
    "-working-directory",
    "-ivfsoverlay",
    "-Xopenmp-target",
    "-fplugin-arg",
    "-gcc-toolchain",
    NULL,
};

/* What a compiler is: its kind, and how recent. */
struct compiler {
    struct arguments command; /* from $CC: may be several words */
    bool clang;
    int version;
    char text[512]; /* what --version says behind the name */
};

/* What the user's arguments ask for. */
struct request {
    const char *tool; /* "oshcc" or "oshc++" */
    bool cxx, cuda, hooks, show, debug_given, input, links, shared, relocatable, backend_given;
    const char *backend;
    struct arguments rest; /* for the compiler */
};

static _Noreturn void
usage_error(const struct request *r, const char *what, const char *advice)
{
    fprintf(stderr, "%s: %s: %s\n", r->tool, what, advice);
    exit(EX_USAGE);
}

static bool
is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(word, *list))
            return true;
    return false;
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* -fsanitize=a,shmem,b: takes our name off the list and hands the rest on. */
static void
read_sanitizers(struct request *r, const char *word)
{
    bool on = word[2] == 's';
    const char *names = strchr(word, '=') + 1;
    char *copy = strdup(names), *rest = copy, *name, *others = calloc(1, strlen(word) + 2);
    while (copy && others && (name = strsep(&rest, ","))) {
        if (!strcmp(name, "shmem")) {
            r->hooks = on;
            continue;
        }
        if (on && !strcmp(name, "thread"))
            usage_error(r, word,
                        "its runtime cannot share a program with Fencepost; -fsanitize=shmem finds these races");
        strcat(strcat(others, *others ? "," : ""), name);
    }
    if (others && *others) {
        char *word_left = malloc(strlen(word) + 1);
        if (word_left) {
            snprintf(word_left, strlen(word) + 1, "%.*s%s", (int)(names - word), word, others);
            arguments_add(&r->rest, word_left);
        }
        free(word_left);
    }
    free(copy);
    free(others);
}

/* Options that are ours or that we have to know about. False: the word is the compiler's alone. */
static bool
read_option(struct request *r, const char *word)
{
    static const char *const no_link[] = {"-c",           "-S",        "-E",         "-M", "-MM", "-fsyntax-only",
                                          "--preprocess", "--compile", "--assemble", NULL};
    static const char *const no_pie[] = {"-no-pie",  "-nopie",   "--no-pie", "-fno-pie",
                                         "-fno-PIE", "-fno-pic", "-fno-PIC", NULL};
    static const char *const all_static[] = {"-static", "--static", "-static-pie", NULL};
    if (is_one_of(word, all_static))
        usage_error(r, word, "a program must be linked dynamically, so that each PE can have an image of its own");
    if (is_one_of(word, no_pie))
        usage_error(r, word, "a program must be position-independent, so that each PE can have an image of its own");
    if (is_one_of(word, no_link))
        r->links = false;
    r->shared |= !strcmp(word, "-shared") || !strcmp(word, "--shared");
    r->relocatable |= !strcmp(word, "-r");
    /* -gz and -gsplit-dwarf alone do not turn debugging information on; -gno-... neither. */
    r->debug_given |=
        !strncmp(word, "-g", 2) && strncmp(word, "-gcc", 4) && strncmp(word, "-gno-", 5) && strncmp(word, "-gz", 3);
    if (!strncmp(word, "--backend=", 10)) {
        r->backend = word + 10;
        r->backend_given = true;
        return true;
    }
    if (!strcmp(word, "--show")) {
        r->show = true;
        return true;
    }
    if (!strncmp(word, "-fsanitize=", 11) || !strncmp(word, "-fno-sanitize=", 14)) {
        read_sanitizers(r, word);
        return true;
    }
    return false;
}

static void
read_arguments(struct request *r, const struct arguments *all)
{
    for (int i = 0; i < all->count; i++) {
        const char *word = all->items[i];
        if (!strcmp(word, "--help")) {
            printf(help, r->tool);
            exit(0);
        }
        if (!strcmp(word, "--backend") && i + 1 < all->count) {
            r->backend = all->items[++i];
            r->backend_given = true;
            continue;
        }
        const size_t length = strlen(word);
        r->cuda |= length > 3 && !strcmp(word + length - 3, ".cu");
        if (word[0] != '-' || !word[1])
            r->input = true;
        else if (read_option(r, word))
            continue;
        arguments_add(&r->rest, word);
        if (is_one_of(word, valued) && i + 1 < all->count)
            arguments_add(&r->rest, all->items[++i]);
    }
    if (r->cuda && !r->backend_given)
        r->backend = "gpu";
    if (strcmp(r->backend, "sim") && strcmp(r->backend, "direct") && strcmp(r->backend, "gpu"))
        usage_error(r, r->backend, "there is no such backend; there are sim, direct and gpu");
}

/* The C++ twin of a C compiler: clang-14 gives clang++-14. NULL where the name says nothing. */
static char *
cxx_twin(const char *cc)
{
    static const char *const twins[][2] = {{"clang", "clang++"}, {"gcc", "g++"}, {"cc", "c++"}};
    const char *base = base_name(cc);
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++) {
        size_t length = strlen(twins[i][0]);
        if (strncmp(base, twins[i][0], length) || (base[length] && base[length] != '-'))
            continue;
        char *twin = malloc(strlen(cc) + 4);
        if (twin)
            sprintf(twin, "%.*s%s%s", (int)(base - cc), cc, twins[i][1], base + length);
        return twin;
    }
    return NULL;
}

/* The compiler's command. $CC may name ourselves (CC=oshcc ./configure): then it says nothing. */
static void
choose_compiler(const struct request *r, struct arguments *command)
{
    const char *ours = getenv(r->cxx ? "OSHCC_CXX" : "OSHCC_CC"), *c_only = getenv("OSHCC_CC");
    const char *general = getenv(r->cxx ? "CXX" : "CC");
    if (general && !strncmp(base_name(general), "oshc", 4))
        general = NULL;
    if (r->cuda) {
        ours = getenv("OSHCC_NVCC");
        arguments_add_words(command, ours && *ours ? ours : "nvcc");
        return;
    }
    char *twin = r->cxx && c_only ? cxx_twin(c_only) : NULL;
    const char *chosen = ours && *ours ? ours : twin ? twin : general && *general ? general : r->cxx ? "g++" : "gcc";
    arguments_add_words(command, chosen);
    free(twin);
}

/* gcc or clang, and which: the first line of --version is "... clang version 14.0.6" or "gcc (...) 12.2.0". */
static void
ask_version(const struct request *r, struct compiler *compiler)
{
    char line[512] = "", shell[4096] = "";
    FILE *text = fmemopen(shell, sizeof shell - 32, "w");
    if (text) {
        arguments_print(&compiler->command, text);
        fclose(text);
    }
    shell[strcspn(shell, "\n")] = '\0';
    strcat(shell, " --version 2>/dev/null");
    FILE *pipe = popen(shell, "r");
    bool read = pipe && fgets(line, sizeof line, pipe);
    if (pipe) {
        while (fgetc(pipe) != EOF)
            ;
        pclose(pipe);
    }
    if (!read) {
        fprintf(stderr, "%s: cannot run the compiler '%s'; set %s to one that is installed\n", r->tool,
                compiler->command.items[0], r->cxx ? "OSHCC_CXX" : "OSHCC_CC");
        exit(EX_UNAVAILABLE);
    }
    line[strcspn(line, "\n")] = '\0';
    snprintf(compiler->text, sizeof compiler->text, "%s", line + strcspn(line, " ") + (strchr(line, ' ') != NULL));
    const char *clang = strstr(line, "clang version "), *last = strrchr(line, ' ');
    compiler->clang = clang != NULL;
    /* "gcc (GCC) 13.2.1 20230801 (Red Hat)": the number after the first ')'. */
    const char *paren = strstr(line, ") ");
    compiler->version = atoi(clang ? clang + 14 : paren ? paren + 2 : last ? last + 1 : "0");
}

/* The plugin that takes hooks out of loops: it works in exactly one compiler. With --show: which hooks these are. */
static void
add_plugin(const struct request *r, const struct compiler *compiler, const struct home *home, struct arguments *out)
{
    char path[sizeof home->lib + 64], made_for[sizeof compiler->text] = "", flag[sizeof path + 16];
    const char *wish = getenv("OSHCC_PLUGIN"), *why = NULL;
    snprintf(path, sizeof path, "%s/hooks-gcc.version", home->lib);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(made_for, sizeof made_for, file))
        why = "this Fencepost was built without the plugin of gcc (gcc-12-plugin-dev)";
    if (file)
        fclose(file);
    made_for[strcspn(made_for, "\n")] = '\0';
    if (wish && !strcmp(wish, "no"))
        why = "OSHCC_PLUGIN=no";
    else if (compiler->clang)
        why = "the compiler is clang";
    else if (!why && strcmp(made_for, compiler->text) != 0)
        why = "the plugin was built for another gcc";
    if (r->show)
        fprintf(stderr, "%s: hooks %s%s%s\n", r->tool, why ? "at each load and store: " : "outside of inner loops, by ",
                why ? why : "the plugin for gcc ", why ? "" : made_for);
    if (why)
        return;
    snprintf(flag, sizeof flag, "-fplugin=%s/hooks-gcc.so", home->lib);
    arguments_add(out, flag);
    /* What hooks in the way do not hinder any more: a call in place of a return would be of another line, and a loop
     * that becomes a call of memset would be told twice. */
    arguments_add(out, "-fno-optimize-sibling-calls");
    arguments_add(out, "-fno-tree-loop-distribute-patterns");
}

/* For nvcc: `option` through to the host's compiler or to the linker. */
static void
hand_on(struct arguments *out, const char *to, const char *option)
{
    arguments_add(out, to);
    arguments_add(out, option);
}

static void
add_nvcc_flags(const struct request *r, const struct home *home, struct arguments *out)
{
    char text[sizeof home->lib + 64];
    snprintf(text, sizeof text, "-I%s", home->include);
    arguments_add(out, text);
    arguments_add(out, "--default-stream=per-thread");
    if (!r->debug_given) {
        arguments_add(out, "-lineinfo");
        hand_on(out, "-Xcompiler", "-g");
    }
    hand_on(out, "-Xcompiler", "-fno-omit-frame-pointer");
    hand_on(out, "-Xcompiler", "-fPIC");
    if (!r->links || r->relocatable)
        return;
    hand_on(out, "-Xcompiler", r->shared ? "-shared" : "-pie");
    snprintf(text, sizeof text, "-L%s", home->lib);
    arguments_add(out, text);
    hand_on(out, "-Xlinker", "--no-as-needed");
    snprintf(text, sizeof text, "-lfencepost_%s", r->backend);
    arguments_add(out, text);
    hand_on(out, "-Xlinker", "-rpath");
    hand_on(out, "-Xlinker", home->lib);
}

static void
add_compile_flags(const struct request *r, const struct compiler *compiler, const struct home *home,
                  struct arguments *out)
{
    char text[sizeof home->include + 64];
    snprintf(text, sizeof text, "-I%s", home->include);
    arguments_add(out, text);
    if (!r->debug_given)
        arguments_add(out, "-g");
    arguments_add(out, "-fno-omit-frame-pointer");
#if defined __x86_64__
    bool indirect = compiler->version >= (compiler->clang ? 13 : 12);
    const char *flag = compiler->clang ? "-fno-direct-access-external-data" : "-mno-direct-extern-access";
#else
    bool indirect = compiler->clang && compiler->version >= 13;
    const char *flag = "-fno-direct-access-external-data";
#endif
    /* -fPIE with the flag makes the better code: the program's own data is reached directly. Where the compiler has no
     * such flag, or a shared library is made, -fPIC does the same for everything. */
    arguments_add(out, indirect && !r->shared ? "-fPIE" : "-fPIC");
    if (indirect)
        arguments_add(out, flag);
    if (!r->hooks)
        return;
    add_plugin(r, compiler, home, out);
    if (compiler->clang) {
        arguments_add(out, "-Xclang");
        arguments_add(out, "-fsanitize=thread");
        return;
    }
    snprintf(text, sizeof text, "-specs=%s/hooks.specs", home->share);
    arguments_add(out, text);
}

static void
add_link_flags(const struct request *r, const struct home *home, struct arguments *out)
{
    char library[sizeof home->lib + 64], text[sizeof home->lib + 64];
    if (!r->shared)
        arguments_add(out, "-pie");
    else if (!r->backend_given)
        return;
    if (!home_library(home, r->backend, library, sizeof library)) {
        if (!strcmp(r->backend, "gpu"))
            usage_error(r, "--backend=gpu", "this Fencepost was built without the CUDA backend (-DFENCEPOST_GPU=ON)");
        fprintf(stderr, "%s: %s is missing; build or install Fencepost again\n", r->tool, library);
        exit(EX_UNAVAILABLE);
    }
    snprintf(text, sizeof text, "-L%s", home->lib);
    arguments_add(out, text);
    /* Not by path: where the user says `-x c++`, a path is a source file. */
    arguments_add(out, "-Wl,--push-state,--no-as-needed");
    snprintf(text, sizeof text, "-lfencepost_%s", r->backend);
    arguments_add(out, text);
    arguments_add(out, "-Wl,--pop-state");
    arguments_add(out, "-Xlinker");
    arguments_add(out, "-rpath");
    arguments_add(out, "-Xlinker");
    arguments_add(out, home->lib);
}

int
main(int argc, char **argv)
{
    const char *name = base_name(argv[0]);
    struct request request = {.links = true, .backend = "sim"};
    request.cxx = !strcmp(name, "oshc++") || !strcmp(name, "oshCC") || !strcmp(name, "oshcxx");
    request.tool = request.cxx ? "oshc++" : "oshcc";
    struct arguments given = {0}, command = {0};
    for (int i = 1; i < argc; i++)
        arguments_add_expanded(&given, argv[i]);
    read_arguments(&request, &given);

    struct home home;
    struct compiler compiler = {0};
    home_find(&home);
    choose_compiler(&request, &compiler.command);
    arguments_add_all(&command, &compiler.command);
    /* Without an input file (oshcc --version, -dumpmachine) the user asks the compiler something: add nothing. */
    if (request.input && request.cuda) {
        add_nvcc_flags(&request, &home, &command);
    } else if (request.input) {
        ask_version(&request, &compiler);
        if (compiler.clang)
            arguments_add(&command, compiler.version >= 14 ? "--start-no-unused-arguments" : "-Qunused-arguments");
        add_compile_flags(&request, &compiler, &home, &command);
        if (request.links && !request.relocatable)
            add_link_flags(&request, &home, &command);
        if (compiler.clang && compiler.version >= 14)
            arguments_add(&command, "--end-no-unused-arguments");
    }
    arguments_add_all(&command, &request.rest);

    if (request.show) {
        arguments_print(&command, stdout);
        return 0;
    }
    arguments_exec(&command);
    fprintf(stderr, "%s: cannot run %s: %s; set %s to a compiler that is installed\n", request.tool, command.items[0],
            strerror(errno), request.cxx ? "OSHCC_CXX" : "OSHCC_CC");
    return EX_UNAVAILABLE;
}
