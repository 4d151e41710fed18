#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *hex(const void *data, size_t size)
{
    static char text[65];
    uint8_t digest[TN_SHA256_SIZE];
    tn_sha256(data, size, digest);
    for (size_t i = 0; i < sizeof(digest); i++) snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return text;
}

// From FIPS 180-4's examples and NIST's test vectors.
static void known_answers(void **state)
{
    (void)state;
    assert_string_equal(hex("", 0),
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_string_equal(hex("abc", 3),
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    assert_string_equal(hex(two, strlen(two)),
                        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    char *million = malloc(1000000);
    assert_non_null(million);
    memset(million, 'a', 1000000);
    assert_string_equal(hex(million, 1000000),
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

static void pieces_give_what_the_whole_gives(void **state)
{
    (void)state;
    uint8_t data[300];
    for (size_t i = 0; i < sizeof(data); i++) data[i] = (uint8_t)(i * 7);
    uint8_t whole[TN_SHA256_SIZE];
    tn_sha256(data, sizeof(data), whole);
    for (size_t cut = 0; cut <= sizeof(data); cut++) {
        tn_sha256_state s;
        uint8_t pieces[TN_SHA256_SIZE];
        tn_sha256_init(&s);
        tn_sha256_add(&s, data, cut);
        tn_sha256_add(&s, data + cut, sizeof(data) - cut);
        tn_sha256_finish(&s, pieces);
        assert_memory_equal(whole, pieces, sizeof(whole));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(pieces_give_what_the_whole_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
