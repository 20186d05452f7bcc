/* The least a machine can do, in C: what the daemon's figures are held against.
 *
 *   floors pty COUNT RATE            one transfer of 16 bytes over a pseudo-terminal
 *   floors sync FILE COUNT RATE      one append of 4 KiB with fdatasync
 *   floors mqtt PORT COUNT RATE      one QoS 1 message from publisher to subscriber
 *   floors listen PORT FILTER        what arrives: moment, topic and payload, one message a line
 *
 * The first three print one duration a line in microseconds; `listen` prints moments of
 * CLOCK_MONOTONIC in microseconds, after a line "ready".
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mosquitto.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { FRAME = 16, PAGE = 4096 };

static const char TOPIC[] = "floor/message";

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void sleep_until(int64_t ns)
{
    struct timespec t = {.tv_sec = ns / 1000000000LL, .tv_nsec = ns % 1000000000LL};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0)
        ;
}

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void print_since(int64_t then)
{
    printf("%.3f\n", (double)(now_ns() - then) / 1000);
}

static int raw_pty(int *slave)
{
    struct termios mode;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) || unlockpt(master))
        die("pty");
    *slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (*slave < 0 || tcgetattr(*slave, &mode))
        die("pty slave");
    cfmakeraw(&mode);
    tcsetattr(*slave, TCSANOW, &mode);
    return master;
}

static void read_frames(int slave, int count)
{
    char frame[FRAME];
    for (int i = 0; i < count; i++) {
        int64_t sent;
        for (int had = 0; had < FRAME;) {
            ssize_t n = read(slave, frame + had, FRAME - had);
            if (n <= 0)
                die("pty read");
            had += (int)n;
        }
        memcpy(&sent, frame, sizeof sent);
        print_since(sent);
    }
}

static void floor_pty(int count, double rate)
{
    int slave, master = raw_pty(&slave);
    pid_t reader = fork();
    if (reader == 0) {
        read_frames(slave, count);
        exit(0);
    }
    int64_t start = now_ns();
    for (int i = 0; i < count; i++) {
        char frame[FRAME] = {0};
        sleep_until(start + (int64_t)(i * 1e9 / rate));
        int64_t sent = now_ns();
        memcpy(frame, &sent, sizeof sent);
        if (write(master, frame, FRAME) != FRAME)
            die("pty write");
    }
    waitpid(reader, NULL, 0);
}

static void floor_sync(const char *path, int count, double rate)
{
    static char page[PAGE];
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0)
        die(path);
    int64_t start = now_ns();
    for (int i = 0; i < count; i++) {
        sleep_until(start + (int64_t)(i * 1e9 / rate));
        int64_t began = now_ns();
        if (pwrite(file, page, PAGE, (off_t)i * PAGE) != PAGE || fdatasync(file))
            die("fdatasync");
        print_since(began);
    }
    close(file);
    unlink(path);
}

static void note(struct mosquitto *client, void *user, int code)
{
    (void)client, (void)code;
    *(bool *)user = true;
}

static struct mosquitto *connected(int port, void *user)
{
    struct mosquitto *client = mosquitto_new(NULL, true, user);
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    if (mosquitto_connect(client, "127.0.0.1", port, 60) != MOSQ_ERR_SUCCESS)
        die("broker");
    return client;
}

struct listener {
    const char *filter;
    int ready;
    int left;
};

static void subscribe(struct mosquitto *client, void *user, int code)
{
    (void)code;
    mosquitto_subscribe(client, NULL, ((struct listener *)user)->filter, 1);
}

static void announce(struct mosquitto *client, void *user, int id, int count, const int *qos)
{
    (void)client, (void)id, (void)count, (void)qos;
    struct listener *listener = user;
    if (listener->ready >= 0 && write(listener->ready, "ready\n", 6) != 6)
        die("ready");
}

static void print_delay(struct mosquitto *client, void *user, const struct mosquitto_message *m)
{
    struct listener *listener = user;
    int64_t sent;
    memcpy(&sent, m->payload, sizeof sent);
    print_since(sent);
    if (--listener->left == 0)
        mosquitto_disconnect(client);
}

static void print_message(struct mosquitto *client, void *user, const struct mosquitto_message *m)
{
    (void)client, (void)user;
    int64_t arrived = now_ns() / 1000;
    printf("%lld %s %.*s\n", (long long)arrived, m->topic, m->payloadlen, (char *)m->payload);
}

static void listen_on(int port, struct listener *listener,
                      void (*each)(struct mosquitto *, void *, const struct mosquitto_message *))
{
    struct mosquitto *client = connected(port, listener);
    mosquitto_connect_callback_set(client, subscribe);
    mosquitto_subscribe_callback_set(client, announce);
    mosquitto_message_callback_set(client, each);
    mosquitto_loop_forever(client, -1, 1);
}

static void turn_until(struct mosquitto *client, int64_t due)
{
    for (int64_t left; (left = due - now_ns()) > 1000000;)
        mosquitto_loop(client, (int)(left / 1000000), 1);
    sleep_until(due);
}

static void floor_mqtt(int port, int count, double rate)
{
    int ends[2];
    char word[6];
    if (pipe(ends))
        die("pipe");
    pid_t reader = fork();
    if (reader == 0) {
        struct listener listener = {.filter = TOPIC, .ready = ends[1], .left = count};
        listen_on(port, &listener, print_delay);
        exit(0);
    }
    if (read(ends[0], word, sizeof word) != sizeof word)
        die("subscriber");
    bool greeted = false;
    struct mosquitto *client = connected(port, &greeted);
    mosquitto_connect_callback_set(client, note);
    while (!greeted)
        mosquitto_loop(client, 10, 1);
    char payload[256] = {0};
    int64_t start = now_ns();
    for (int i = 0; i < count; i++) {
        turn_until(client, start + (int64_t)(i * 1e9 / rate));
        int64_t sent = now_ns();
        memcpy(payload, &sent, sizeof sent);
        mosquitto_publish(client, NULL, TOPIC, sizeof payload, payload, 1, false);
    }
    while (waitpid(reader, NULL, WNOHANG) == 0)
        mosquitto_loop(client, 10, 1);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    mosquitto_lib_init();
    if (argc == 4 && strcmp(argv[1], "pty") == 0) {
        floor_pty(atoi(argv[2]), atof(argv[3]));
    } else if (argc == 5 && strcmp(argv[1], "sync") == 0) {
        floor_sync(argv[2], atoi(argv[3]), atof(argv[4]));
    } else if (argc == 5 && strcmp(argv[1], "mqtt") == 0) {
        floor_mqtt(atoi(argv[2]), atoi(argv[3]), atof(argv[4]));
    } else if (argc == 4 && strcmp(argv[1], "listen") == 0) {
        struct listener listener = {.filter = argv[3], .ready = STDOUT_FILENO, .left = -1};
        listen_on(atoi(argv[2]), &listener, print_message);
    } else {
        fputs("usage: floors pty|sync|mqtt|listen ...\n", stderr);
        return 2;
    }
    return 0;
}
