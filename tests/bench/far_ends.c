/* Modules of tables on one port of the loopback, in C, so that hardly any of the machine goes there.
 *
 *   far_ends PORT TRACE
 *
 * Each connection is a module of its own, made as its maker says of the Waveshare IO 8CH: 8 discrete
 * inputs from address 0, its unit id at register 0x4000, and nothing set anywhere else. At each a
 * discard is pressed each 3 s and a claim each 12 s, the seats in turn, for 150 ms. Prints "ready"
 * and, until its input ends, writes to TRACE what it was asked.
 *
 * TRACE: a line for each request: its connection, microseconds of CLOCK_MONOTONIC, and 1 if it is
 * the first one to show a press, else 0.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEAD = 7, MOST = 260, CALLERS = 1024, UNIT_ID = 0x4000, SEATS = 4, ASKED = 5 };
enum { READ_COILS = 1, READ_DISCRETES = 2, READ_INPUTS = 4 };

static const int64_t DISCARD_EACH = 3000000, CLAIM_EACH = 12000000, PRESSED_FOR = 150000;

static unsigned char kept[CALLERS][2 * MOST];
static size_t held[CALLERS];
static int64_t shown[CALLERS];
static FILE *trace;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static int64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

/* The press that is down at a moment: its number, odd for claims; 0 for none. */
static int64_t press_at(int caller, int64_t now)
{
    int64_t at = now + caller * 7919LL * 1009;
    if (at % DISCARD_EACH < PRESSED_FOR)
        return at / DISCARD_EACH * 2;
    at += DISCARD_EACH / 2;
    return at % CLAIM_EACH < PRESSED_FOR ? at / CLAIM_EACH * 2 + 1 : 0;
}

static unsigned char inputs(int64_t press)
{
    int seat = (int)(press / 2 % SEATS);
    return press == 0 ? 0 : (unsigned char)(1 << (press % 2 ? SEATS + seat : seat));
}

static size_t answer(int caller, const unsigned char *asked, unsigned char *said)
{
    int function = asked[HEAD], address = asked[HEAD + 1] << 8 | asked[HEAD + 2];
    int count = asked[HEAD + 3] << 8 | asked[HEAD + 4];
    size_t data = 0;
    int64_t now = now_us(), press = press_at(caller, now);
    memcpy(said, asked, HEAD + ASKED);
    if (function <= READ_INPUTS) {
        data = (size_t)(function <= READ_DISCRETES ? (count + 7) / 8 : 2 * count) % (MOST - HEAD - 2);
        memset(said + HEAD + 2, 0, data);
        said[HEAD + 1] = (unsigned char)data;
        if (function == READ_DISCRETES && address == 0)
            said[HEAD + 2] = inputs(press);
        else if (address == UNIT_ID)
            said[HEAD + 3] = 1;
    }
    size_t pdu = function <= READ_INPUTS ? 2 + data : ASKED;
    said[4] = 0;
    said[5] = (unsigned char)(1 + pdu);
    fprintf(trace, "%d %lld %d\n", caller, (long long)now, press != 0 && press != shown[caller]);
    shown[caller] = press;
    return HEAD + pdu;
}

static int serve(int caller)
{
    unsigned char said[MOST + HEAD];
    ssize_t came = read(caller, kept[caller] + held[caller], 2 * MOST - held[caller]);
    if (came <= 0)
        return 0;
    held[caller] += (size_t)came;
    for (;;) {
        const unsigned char *asked = kept[caller];
        size_t size = held[caller] < HEAD ? 2 * MOST : 6u + (size_t)(asked[4] << 8 | asked[5]);
        if (size < HEAD + ASKED || size > MOST)
            return held[caller] < HEAD;
        if (held[caller] < size)
            return 1;
        size_t saying = answer(caller, asked, said);
        if (write(caller, said, saying) != (ssize_t)saying)
            return 0;
        held[caller] -= size;
        memmove(kept[caller], kept[caller] + size, held[caller]);
    }
}

static void watch(int poll, int descriptor)
{
    struct epoll_event wanted = {.events = EPOLLIN, .data.fd = descriptor};
    if (epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &wanted))
        die("epoll");
}

static void take_in(int poll, int door)
{
    int yes = 1, caller = accept(door, NULL, NULL);
    if (caller < 0 || caller >= CALLERS)
        die("accept");
    setsockopt(caller, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    held[caller] = 0;
    watch(poll, caller);
}

static int open_door(int port)
{
    int yes = 1, door = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(door, (struct sockaddr *)&here, sizeof here) || listen(door, CALLERS))
        die("listen");
    return door;
}

int main(int argc, char **argv)
{
    if (argc != 3 || (trace = fopen(argv[2], "w")) == NULL)
        die("far_ends PORT TRACE");
    int door = open_door(atoi(argv[1])), poll = epoll_create1(0);
    watch(poll, door);
    watch(poll, STDIN_FILENO);
    puts("ready");
    fflush(stdout);
    for (;;) {
        struct epoll_event events[64];
        int ready = epoll_wait(poll, events, 64, -1);
        for (int i = 0; i < ready; i++) {
            int which = events[i].data.fd;
            if (which == STDIN_FILENO)
                return fclose(trace);
            if (which == door)
                take_in(poll, door);
            else if (!serve(which))
                close(which);
        }
    }
}
