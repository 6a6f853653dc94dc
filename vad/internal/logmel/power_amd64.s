#include "textflag.h"

// The order of eight numbers turned round.
DATA reversed<>+0(SB)/4, $7
DATA reversed<>+4(SB)/4, $6
DATA reversed<>+8(SB)/4, $5
DATA reversed<>+12(SB)/4, $4
DATA reversed<>+16(SB)/4, $3
DATA reversed<>+20(SB)/4, $2
DATA reversed<>+24(SB)/4, $1
DATA reversed<>+28(SB)/4, $0
GLOBL reversed<>(SB), RODATA|NOPTR, $32

// func vectorPowers(power *[points]float32, x *spectrum, r *rotations)
//
// SI and DI are at bins k to k+7 of x and power, from 1 on, R8 and R9 at bins 256-k-7 to
// 256-k, up to 255, which are turned round.
TEXT ·vectorPowers(SB), NOSPLIT, $0-24
	MOVQ    power+0(FP), DI
	MOVQ    x+8(FP), SI
	MOVQ    r+16(FP), DX
	LEAQ    992(DI), R9
	LEAQ    992(SI), R8
	ADDQ    $4, DI
	ADDQ    $4, SI
	VMOVDQU reversed<>(SB), Y15
	MOVQ    $16, CX

eight:
	VMOVUPS (SI), Y0
	VMOVUPS 1024(SI), Y1
	VPERMPS (R8), Y15, Y2
	VPERMPS 1024(R8), Y15, Y3
	VADDPS  Y2, Y0, Y4          // even, real part
	VSUBPS  Y3, Y1, Y5          // and imaginary
	VADDPS  Y3, Y1, Y6          // odd, real part
	VSUBPS  Y0, Y2, Y7          // and imaginary
	VMOVUPS (DX), Y8            // cos
	VMOVUPS 512(DX), Y9         // sin
	VMULPS  Y8, Y6, Y10
	VMULPS  Y9, Y7, Y11
	VMULPS  Y9, Y6, Y12
	VMULPS  Y8, Y7, Y13
	VSUBPS  Y11, Y10, Y10       // odd turned, real part
	VADDPS  Y13, Y12, Y12       // and imaginary
	VADDPS  Y10, Y4, Y0
	VADDPS  Y12, Y5, Y1
	VSUBPS  Y10, Y4, Y2
	VSUBPS  Y5, Y12, Y3
	VMULPS  Y0, Y0, Y0
	VMULPS  Y1, Y1, Y1
	VMULPS  Y2, Y2, Y2
	VMULPS  Y3, Y3, Y3
	VADDPS  Y1, Y0, Y0
	VADDPS  Y3, Y2, Y2
	VPERMPS Y2, Y15, Y2
	VMOVUPS Y0, (DI)
	VMOVUPS Y2, (R9)
	ADDQ    $32, SI
	ADDQ    $32, DI
	ADDQ    $32, DX
	SUBQ    $32, R8
	SUBQ    $32, R9
	DECQ    CX
	JNZ     eight
	VZEROUPPER
	RET
