#include "textflag.h"

// func product16(y *[16]float32, w, x *float32, columns int)
TEXT ·product16(SB), NOSPLIT, $0-32
	MOVQ  y+0(FP), DI
	MOVQ  w+8(FP), SI
	MOVQ  x+16(FP), BX
	MOVQ  columns+24(FP), CX
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3

column:
	MOVSS  (BX), X4
	SHUFPS $0, X4, X4
	MOVUPS (SI), X5
	MOVUPS 16(SI), X6
	MOVUPS 32(SI), X7
	MOVUPS 48(SI), X8
	MULPS  X4, X5
	MULPS  X4, X6
	MULPS  X4, X7
	MULPS  X4, X8
	ADDPS  X5, X0
	ADDPS  X6, X1
	ADDPS  X7, X2
	ADDPS  X8, X3
	ADDQ   $4, BX
	ADDQ   $64, SI
	DECQ   CX
	JNZ    column

	MOVUPS X0, (DI)
	MOVUPS X1, 16(DI)
	MOVUPS X2, 32(DI)
	MOVUPS X3, 48(DI)
	RET

// func product48(y *[48]float32, w, x *float32, columns int)
TEXT ·product48(SB), NOSPLIT, $0-32
	MOVQ   y+0(FP), DI
	MOVQ   w+8(FP), SI
	MOVQ   x+16(FP), BX
	MOVQ   columns+24(FP), CX
	MOVQ   CX, DX
	SHLQ   $6, DX               // bytes of a block
	LEAQ   (SI)(DX*1), R8
	LEAQ   (SI)(DX*2), R9
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
	VMULPS       (R8), Y6, Y9
	VMULPS       32(R8), Y6, Y10
	VMULPS       (R9), Y6, Y11
	VMULPS       32(R9), Y6, Y12
	VADDPS       Y7, Y0, Y0
	VADDPS       Y8, Y1, Y1
	VADDPS       Y9, Y2, Y2
	VADDPS       Y10, Y3, Y3
	VADDPS       Y11, Y4, Y4
	VADDPS       Y12, Y5, Y5
	ADDQ         $4, BX
	ADDQ         $64, SI
	ADDQ         $64, R8
	ADDQ         $64, R9
	DECQ         CX
	JNZ          column

	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VMOVUPS Y4, 128(DI)
	VMOVUPS Y5, 160(DI)
	VZEROUPPER
	RET
