#include "textflag.h"

// LIMIT stores eight sums plus what is added, or least (Y6).
#define LIMIT(at, sums) \
	VADDPS  at(R8), sums, sums \
	VMAXPS  Y6, sums, sums     \
	VMOVUPS sums, at(DI)

// func vectorProduct(y *[block]float32, w, x *float32, columns int, plus *[block]float32, least float32)
//
// Y0 to Y5 are the sums of the block's rows, eight in each.
TEXT ·vectorProduct(SB), NOSPLIT, $0-44
	MOVQ   y+0(FP), DI
	MOVQ   w+8(FP), SI
	MOVQ   x+16(FP), BX
	MOVQ   columns+24(FP), CX
	MOVQ   plus+32(FP), R8
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5

column:
	VBROADCASTSS (BX), Y6
	VMULPS       (SI), Y6, Y7
	VMULPS       32(SI), Y6, Y8
	VMULPS       64(SI), Y6, Y9
	VMULPS       96(SI), Y6, Y10
	VMULPS       128(SI), Y6, Y11
	VMULPS       160(SI), Y6, Y12
	VADDPS       Y7, Y0, Y0
	VADDPS       Y8, Y1, Y1
	VADDPS       Y9, Y2, Y2
	VADDPS       Y10, Y3, Y3
	VADDPS       Y11, Y4, Y4
	VADDPS       Y12, Y5, Y5
	ADDQ         $4, BX
	ADDQ         $192, SI
	DECQ         CX
	JNZ          column

	VBROADCASTSS least+40(FP), Y6
	LIMIT(0, Y0)
	LIMIT(32, Y1)
	LIMIT(64, Y2)
	LIMIT(96, Y3)
	LIMIT(128, Y4)
	LIMIT(160, Y5)
	VZEROUPPER
	RET
