/* 16 bytes of device memory that are read and written in one piece, by whichever processor: a
 * reader finds all of what one thread has stored, or nothing of it.
 */
#ifndef AMPHI_CUDA_WHOLE_H
#define AMPHI_CUDA_WHOLE_H

#include <string.h>

template <class T> __device__ static inline T load_in_one_piece(const T *from)
{
    unsigned __int128 all;
    T                 out;

    static_assert(sizeof out == sizeof all && alignof(T) == sizeof all, "16 bytes");
    asm volatile("ld.relaxed.gpu.global.b128 %0, [%1];" : "=q"(all) : "l"(from) : "memory");
    memcpy(&out, &all, sizeof out);
    return out;
}

template <class T> __device__ static inline void store_in_one_piece(const T &what, T *to)
{
    unsigned __int128 all;

    static_assert(sizeof what == sizeof all && alignof(T) == sizeof all, "16 bytes");
    memcpy(&all, &what, sizeof all);
    asm volatile("st.relaxed.gpu.global.b128 [%0], %1;" ::"l"(to), "q"(all) : "memory");
}

#endif
