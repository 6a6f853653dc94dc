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
