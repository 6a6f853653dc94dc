#include "textflag.h"

// A spectrum is 256 real parts, 1024 bytes, and 256 imaginary ones. Points that lie a
// quarter of it apart are 256 bytes apart.

// WEIGH sets eight points to two times eight samples: those in the low halves of 32 bits
// are the real parts, those in the high halves the imaginary ones.
#define WEIGH(at, re, im) \
	VMOVDQU   at(SI), Y8              \
	VPSLLD    $16, Y8, Y9             \
	VPSRAD    $16, Y9, Y9             \
	VPSRAD    $16, Y8, Y8             \
	VCVTDQ2PS Y9, re                  \
	VCVTDQ2PS Y8, im                  \
	VMULPS    at(BX), re, re          \
	VMULPS    (1024+at)(BX), im, im

// LOAD sets Y0 to Y3 to the real parts of four points of eight butterflies, Y4 to Y7 to
// the imaginary ones.
#define LOAD(from) \
	VMOVUPS 0(from), Y0    \
	VMOVUPS 256(from), Y1  \
	VMOVUPS 512(from), Y2  \
	VMOVUPS 768(from), Y3  \
	VMOVUPS 1024(from), Y4 \
	VMOVUPS 1280(from), Y5 \
	VMOVUPS 1536(from), Y6 \
	VMOVUPS 1792(from), Y7

// BUTTERFLIES does eight, of the points that LOAD loads. What becomes of them, before it
// is turned, is in Y4, Y6, Y8, Y9 (real parts) and Y5, Y7, Y0, Y2 (imaginary ones).
#define BUTTERFLIES \
	VADDPS Y2, Y0, Y8   \ // sr
	VSUBPS Y2, Y0, Y9   \ // tr
	VADDPS Y3, Y1, Y10  \ // ur
	VSUBPS Y1, Y3, Y11  \ // vi
	VADDPS Y6, Y4, Y0   \ // si
	VSUBPS Y6, Y4, Y2   \ // ti
	VADDPS Y7, Y5, Y1   \ // ui
	VSUBPS Y7, Y5, Y3   \ // vr
	VADDPS Y10, Y8, Y4  \
	VADDPS Y1, Y0, Y5   \
	VADDPS Y3, Y9, Y6   \
	VADDPS Y11, Y2, Y7  \
	VSUBPS Y10, Y8, Y8  \
	VSUBPS Y1, Y0, Y0   \
	VSUBPS Y3, Y9, Y9   \
	VSUBPS Y11, Y2, Y2

// TURN multiplies eight points with their twiddles: cos at DX, sin behind it.
#define TURN(at, re, im) \
	VMOVUPS at(DX), Y10      \
	VMOVUPS (32+at)(DX), Y11 \
	VMULPS  Y10, re, Y12     \
	VMULPS  Y11, im, Y13     \
	VMULPS  Y11, re, Y14     \
	VMULPS  Y10, im, Y15     \
	VSUBPS  Y13, Y12, re     \
	VADDPS  Y15, Y14, im

#define TURNS \
	TURN(0, Y6, Y7)   \
	TURN(64, Y8, Y0)  \
	TURN(128, Y9, Y2)

// INTERLEAVE stores what became of the four points of eight butterflies side by side: of
// the first and the fifth, of the second and the sixth and so on.
#define INTERLEAVE(a, b, c, d, at) \
	VUNPCKLPS b, a, Y10          \ // a and b of butterflies 1, 2; 5, 6
	VUNPCKHPS b, a, Y11          \ // of 3, 4; 7, 8
	VUNPCKLPS d, c, Y12          \
	VUNPCKHPS d, c, Y13          \
	VUNPCKLPD Y12, Y10, Y14      \ // a to d of 1; 5
	VUNPCKHPD Y12, Y10, Y15      \ // 2; 6
	VMOVUPS   Y14, (0+at)(DI)    \
	VMOVUPS   Y15, (32+at)(DI)   \
	VUNPCKLPD Y13, Y11, Y14      \ // 3; 7
	VUNPCKHPD Y13, Y11, Y15      \ // 4; 8
	VMOVUPS   Y14, (64+at)(DI)   \
	VMOVUPS   Y15, (96+at)(DI)

// func firstPass(to *spectrum, samples *[winSize]int16, window *spectrum, w *[quarter / beside]twiddles)
TEXT ·firstPass(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ samples+8(FP), SI
	MOVQ window+16(FP), BX
	MOVQ w+24(FP), DX
	MOVQ $8, CX

eight:
	WEIGH(0, Y0, Y4)
	WEIGH(256, Y1, Y5)
	WEIGH(512, Y2, Y6)
	WEIGH(768, Y3, Y7)
	BUTTERFLIES
	TURNS
	INTERLEAVE(Y4, Y6, Y8, Y9, 0)
	INTERLEAVE(Y5, Y7, Y0, Y2, 1024)
	ADDQ $32, SI
	ADDQ $32, BX
	ADDQ $192, DX
	ADDQ $128, DI
	DECQ CX
	JNZ  eight
	VZEROUPPER
	RET

// JOIN stores what became of the four points of four butterflies side by side, and 256
// bytes further on that of the four in the upper halves.
#define JOIN(a, b, c, d, at) \
	VPERM2F128 $0x20, b, a, Y10    \
	VPERM2F128 $0x20, d, c, Y11    \
	VPERM2F128 $0x31, b, a, Y12    \
	VPERM2F128 $0x31, d, c, Y13    \
	VMOVUPS    Y10, (0+at)(DI)     \
	VMOVUPS    Y11, (32+at)(DI)    \
	VMOVUPS    Y12, (256+at)(DI)   \
	VMOVUPS    Y13, (288+at)(DI)

// func secondPass(to, from *spectrum, w *[quarter / beside]twiddles)
TEXT ·secondPass(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ w+16(FP), DX
	MOVQ $8, CX

eight:
	LOAD(SI)
	BUTTERFLIES
	TURNS
	JOIN(Y4, Y6, Y8, Y9, 0)
	JOIN(Y5, Y7, Y0, Y2, 1024)
	ADDQ  $32, SI
	ADDQ  $192, DX
	ADDQ  $64, DI
	DECQ  CX
	TESTQ $3, CX
	JNZ   eight
	ADDQ  $256, DI    // past what the upper halves became
	TESTQ CX, CX
	JNZ   eight
	VZEROUPPER
	RET

// func thirdPass(to, from *spectrum, w *[4]twiddles)
TEXT ·thirdPass(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ w+16(FP), DX
	MOVQ $8, CX

eight:
	LOAD(SI)
	BUTTERFLIES
	TURNS
	VMOVUPS Y4, 0(DI)
	VMOVUPS Y6, 64(DI)
	VMOVUPS Y8, 128(DI)
	VMOVUPS Y9, 192(DI)
	VMOVUPS Y5, 1024(DI)
	VMOVUPS Y7, 1088(DI)
	VMOVUPS Y0, 1152(DI)
	VMOVUPS Y2, 1216(DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ    CX
	TESTQ   $1, CX
	JNZ     eight          // the other eight of the same twiddles
	ADDQ    $192, DX
	ADDQ    $192, DI
	TESTQ   CX, CX
	JNZ     eight
	VZEROUPPER
	RET

// func lastPass(to, from *spectrum)
TEXT ·lastPass(SB), NOSPLIT, $0-16
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ $8, CX

eight:
	LOAD(SI)
	BUTTERFLIES
	VMOVUPS Y4, 0(DI)
	VMOVUPS Y6, 256(DI)
	VMOVUPS Y8, 512(DI)
	VMOVUPS Y9, 768(DI)
	VMOVUPS Y5, 1024(DI)
	VMOVUPS Y7, 1280(DI)
	VMOVUPS Y0, 1536(DI)
	VMOVUPS Y2, 1792(DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ    CX
	JNZ     eight
	VZEROUPPER
	RET
