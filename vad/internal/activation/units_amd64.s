#include "textflag.h"

// The constants of exp, each for eight numbers.
#define EIGHT(name, bits) \
	DATA name<>+0(SB)/4, $bits  \
	DATA name<>+4(SB)/4, $bits  \
	DATA name<>+8(SB)/4, $bits  \
	DATA name<>+12(SB)/4, $bits \
	DATA name<>+16(SB)/4, $bits \
	DATA name<>+20(SB)/4, $bits \
	DATA name<>+24(SB)/4, $bits \
	DATA name<>+28(SB)/4, $bits \
	GLOBL name<>(SB), RODATA|NOPTR, $32

EIGHT(least, 0xC2A00000)   // -80
EIGHT(most, 0x42A00000)    // 80
EIGHT(log2e, 0x3FB8AA3B)
EIGHT(ln2, 0x3F317218)
EIGHT(shift, 0x42FF0000)   // 127.5
EIGHT(bias, 127)
EIGHT(one, 0x3F800000)
EIGHT(half, 0x3F000000)
EIGHT(third, 0x3E2AAAAB)   // 1/6, of the third power
EIGHT(fourth, 0x3D2AAAAB)  // 1/24
EIGHT(fifth, 0x3C088889)   // 1/120
EIGHT(sign, 0x80000000)

// EXP sets x to one and e to the x. a and b are scratch registers, Y10 is one, Y11 the
// logarithm of two, Y12 the bias of an exponent, Y13 the logarithm of e to the base of two.
#define EXP(x, a, b) \
	VMINPS     most<>(SB), x, x     \
	VMAXPS     least<>(SB), x, x    \
	VMULPS     Y13, x, x            \
	VADDPS     shift<>(SB), x, a    \
	VCVTTPS2DQ a, a                 \ // k
	VPSUBD     Y12, a, b            \
	VCVTDQ2PS  b, b                 \
	VSUBPS     b, x, x              \
	VMULPS     Y11, x, x            \ // f
	VMULPS     fifth<>(SB), x, b    \
	VADDPS     fourth<>(SB), b, b   \
	VMULPS     b, x, b              \
	VADDPS     third<>(SB), b, b    \
	VMULPS     b, x, b              \
	VADDPS     half<>(SB), b, b     \
	VMULPS     b, x, b              \
	VADDPS     Y10, b, b            \
	VMULPS     b, x, b              \
	VADDPS     Y10, b, b            \ // p
	VPSLLD     $23, a, a            \
	VMULPS     a, b, x              \
	VADDPS     Y10, x, x

// func vectorUnits(h, reset, update, candidate, recall, out *float32, eights int) float32
TEXT ·vectorUnits(SB), NOSPLIT, $0-60
	MOVQ    h+0(FP), DI
	MOVQ    reset+8(FP), R8
	MOVQ    update+16(FP), R9
	MOVQ    candidate+24(FP), R10
	MOVQ    recall+32(FP), R11
	MOVQ    out+40(FP), R12
	MOVQ    eights+48(FP), CX
	XORQ    AX, AX
	VXORPS  Y9, Y9, Y9           // sums of the product with out
	VMOVUPS one<>(SB), Y10
	VMOVUPS ln2<>(SB), Y11
	VMOVUPS bias<>(SB), Y12
	VMOVUPS log2e<>(SB), Y13
	VMOVUPS sign<>(SB), Y14

eight:
	VXORPS  (R8)(AX*1), Y14, Y0
	VXORPS  (R9)(AX*1), Y14, Y1
	EXP(Y0, Y4, Y5)
	EXP(Y1, Y6, Y7)
	VDIVPS  Y0, Y10, Y0          // reset
	VDIVPS  Y1, Y10, Y1          // update
	VMULPS  (R11)(AX*1), Y0, Y0
	VADDPS  (R10)(AX*1), Y0, Y0
	VADDPS  Y0, Y0, Y0
	EXP(Y0, Y4, Y5)
	VADDPS  Y10, Y10, Y2
	VDIVPS  Y0, Y2, Y0
	VSUBPS  Y0, Y10, Y0          // candidate
	VMOVUPS (DI)(AX*1), Y2
	VSUBPS  Y0, Y2, Y2
	VMULPS  Y2, Y1, Y2
	VADDPS  Y2, Y0, Y2           // new state
	VMOVUPS Y2, (DI)(AX*1)
	VMULPS  (R12)(AX*1), Y2, Y2
	VADDPS  Y2, Y9, Y9
	ADDQ    $32, AX
	DECQ    CX
	JNZ     eight

	// The eight sums become one.
	VHADDPS      Y9, Y9, Y9
	VHADDPS      Y9, Y9, Y9
	VEXTRACTF128 $1, Y9, X0
	VADDPS       X0, X9, X0
	VMOVSS       X0, ret+56(FP)
	VZEROUPPER
	RET
