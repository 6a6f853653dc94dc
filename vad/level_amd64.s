#include "textflag.h"

DATA pole<>+0(SB)/8, $0.97
DATA pole<>+8(SB)/8, $0.97
DATA pole<>+16(SB)/8, $0.97
DATA pole<>+24(SB)/8, $0.97
GLOBL pole<>(SB), RODATA|NOPTR, $32

// COLUMNS sets X0, X1, X2 and X7 to four samples in a row of four parts, which begin 40
// bytes apart: the first of each part, the second and so on.
#define COLUMNS(at) \
	VPMOVSXWD  (at)(SI), X0     \
	VPMOVSXWD  (40+at)(SI), X1  \
	VPMOVSXWD  (80+at)(SI), X2  \
	VPMOVSXWD  (120+at)(SI), X3 \
	VPUNPCKLDQ X1, X0, X4       \ // the first two of the first two parts
	VPUNPCKHDQ X1, X0, X5       \
	VPUNPCKLDQ X3, X2, X6       \
	VPUNPCKHDQ X3, X2, X7       \
	VPUNPCKLQDQ X6, X4, X0      \
	VPUNPCKHQDQ X6, X4, X1      \
	VPUNPCKLQDQ X7, X5, X2      \
	VPUNPCKHQDQ X7, X5, X7

// FILTER takes a sample of each of four parts and the ones before, and the power of pole
// at DX.
#define FILTER(now, before, power, out, squares, fading) \
	VPSUBD       before, now, X3     \
	VCVTDQ2PD    X3, Y3              \
	VADDPD       Y3, out, out        \
	VMULPD       pole<>(SB), out, out \
	VMULPD       out, out, Y4        \
	VADDPD       Y4, squares, squares \
	VBROADCASTSD power(DX), Y5       \
	VMULPD       Y5, out, Y5         \
	VADDPD       Y5, fading, fading

// FOUR filters four samples of each of four parts. before becomes the last.
#define FOUR(at, before, out, squares, fading) \
	COLUMNS(at)                                    \
	FILTER(X0, before, 0, out, squares, fading)    \
	FILTER(X1, X0, 8, out, squares, fading)        \
	FILTER(X2, X1, 16, out, squares, fading)       \
	FILTER(X7, X2, 24, out, squares, fading)       \
	VMOVDQA X7, before

// FIRST sets to to the sample before each of four parts.
#define FIRST(at, to) \
	MOVWLSX (at)(SI), R8          \
	MOVWLSX (40+at)(SI), R9       \
	MOVWLSX (80+at)(SI), R10      \
	MOVWLSX (120+at)(SI), R11     \
	VMOVD   R8, to                \
	VPINSRD $1, R9, to, to        \
	VPINSRD $2, R10, to, to       \
	VPINSRD $3, R11, to, to

// STORE puts what became of four parts into the first or second half of `to`.
#define STORE(at, out, squares, fading) \
	VMOVUPD out, (at)(DI)          \
	VMOVUPD squares, (64+at)(DI)   \
	VMOVUPD fading, (128+at)(DI)

// func vectorHighPass(to *filtered, x *[1 + FrameSamples]int16, f *fading)
//
// The first four parts have the samples before in X8, the output in Y9, the sums of its
// squares in Y10 and of its products with powers of pole in Y11. The last four have X12
// to Y15.
TEXT ·vectorHighPass(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ f+16(FP), DX
	MOVQ $5, CX
	FIRST(0, X8)
	FIRST(160, X12)
	VXORPD Y9, Y9, Y9
	VXORPD Y10, Y10, Y10
	VXORPD Y11, Y11, Y11
	VXORPD Y13, Y13, Y13
	VXORPD Y14, Y14, Y14
	VXORPD Y15, Y15, Y15

four:
	FOUR(2, X8, Y9, Y10, Y11)
	FOUR(162, X12, Y13, Y14, Y15)
	ADDQ $8, SI
	ADDQ $32, DX
	DECQ CX
	JNZ  four

	STORE(0, Y9, Y10, Y11)
	STORE(32, Y13, Y14, Y15)
	VZEROUPPER
	RET
