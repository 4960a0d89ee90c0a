/* complex_both.cpp -- a C++ program may reduce C's complex type as well as the library's.
 *
 * RUN: -n 3 --backends sim,direct
 * FLAGS: -Wpedantic
 * EXPECT: clean
 */
#include <complex>
#include <shmem.h>

__extension__ typedef double _Complex c_complex;

static c_complex mine, total;
static std::complex<double> part, product;
static std::complex<float> small, running;

int
main()
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    __real__ mine = me;
    __imag__ mine = 1.0;
    part = std::complex<double>(0.0, 1.0);
    small = std::complex<float>(1.0f, float(me));
    shmem_sync_all();
    shmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, &total, &mine, 1);
    shmem_complexd_prod_reduce(SHMEM_TEAM_WORLD, &product, &part, 1);
    shmem_complexf_sum_inscan(SHMEM_TEAM_WORLD, &running, &small, 1);
    bool right = __real__ total == n * (n - 1) / 2 && __imag__ total == n && running.real() == float(me + 1) &&
                 product == std::complex<double>(0.0, -1.0);
    shmem_finalize();
    return right ? 0 : 1;
}
