// tenon: the command. Everything it does goes through the public API.
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd.h"
#include "cli/say.h"

/// Takes the places of standard streams that are closed, so that no file of ours gets their numbers
/// and is written to by mistake. Reading from the first, and writing to the second, fails.
static void hold_streams(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int i = 0; i < 3; i++) {
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", modes[i]) < 0) return;
    }
}

static int run(int argc, char **argv)
{
    static const char *const spellings[][2] = {
        {"--version", "version"}, {"-V", "version"}, {"--help", "help"}, {"-h", "help"}};
    if (argc < 2) {
        tn_print_overview(stderr);
        return TN_EXIT_WRONG;
    }
    const char *name = argv[1];
    for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
        if (strcmp(name, spellings[i][0]) == 0) name = spellings[i][1];
    }
    if (name[0] == '-' && name == argv[1]) {
        return tn_say_wrong(NULL, "'%s' stands where a command belongs", name);
    }
    const tn_opt_command *command = tn_find_command(name);
    return command ? command->run(command, argc - 2, argv + 2) : TN_EXIT_WRONG;
}

int main(int argc, char **argv)
{
    hold_streams();
    // A reader that goes away is an error of write(), not a death.
    signal(SIGPIPE, SIG_IGN);
    return tn_close_stdout(run(argc, argv));
}
