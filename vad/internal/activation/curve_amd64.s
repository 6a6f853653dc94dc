#include "textflag.h"

// The constants of exp, each for four numbers.
#define FOUR(name, bits) \
	DATA name<>+0(SB)/4, $bits  \
	DATA name<>+4(SB)/4, $bits  \
	DATA name<>+8(SB)/4, $bits  \
	DATA name<>+12(SB)/4, $bits \
	GLOBL name<>(SB), RODATA|NOPTR, $16

FOUR(least, 0xC2A00000)   // -80
FOUR(most, 0x42A00000)    // 80
FOUR(log2e, 0x3FB8AA3B)
FOUR(ln2, 0x3F317218)
FOUR(shift, 0x42FF0000)   // 127.5
FOUR(bias, 127)
FOUR(one, 0x3F800000)
FOUR(half, 0x3F000000)
FOUR(third, 0x3E2AAAAB)   // 1/6, of the third power
FOUR(fourth, 0x3D2AAAAB)  // 1/24
FOUR(fifth, 0x3C088889)   // 1/120

// func curve4(x *float32, fours int, scale, base, part float32)
TEXT ·curve4(SB), NOSPLIT, $0-28
	MOVQ   x+0(FP), DI
	MOVQ   fours+8(FP), CX
	MOVSS  scale+16(FP), X8
	SHUFPS $0, X8, X8
	MOVSS  base+20(FP), X9
	SHUFPS $0, X9, X9
	MOVSS  part+24(FP), X10
	SHUFPS $0, X10, X10
	MOVUPS one<>(SB), X11
	MOVUPS ln2<>(SB), X12
	MOVUPS bias<>(SB), X13
	MOVUPS log2e<>(SB), X14
	MOVUPS shift<>(SB), X15

four:
	MOVUPS    (DI), X0
	MULPS     X8, X0
	MINPS     most<>(SB), X0
	MAXPS     least<>(SB), X0
	MULPS     X14, X0           // x
	MOVAPS    X0, X1
	ADDPS     X15, X1
	CVTTPS2PL X1, X1            // k+127
	MOVAPS    X1, X2
	PSUBL     X13, X2
	CVTPL2PS  X2, X2            // k
	SUBPS     X2, X0
	MULPS     X12, X0           // f
	MOVUPS    fifth<>(SB), X3
	MULPS     X0, X3
	ADDPS     fourth<>(SB), X3
	MULPS     X0, X3
	ADDPS     third<>(SB), X3
	MULPS     X0, X3
	ADDPS     half<>(SB), X3
	MULPS     X0, X3
	ADDPS     X11, X3
	MULPS     X0, X3
	ADDPS     X11, X3           // p
	PSLLL     $23, X1
	MULPS     X1, X3            // exp
	ADDPS     X11, X3
	MOVAPS    X10, X4
	DIVPS     X3, X4
	ADDPS     X9, X4
	MOVUPS    X4, (DI)
	ADDQ      $16, DI
	DECQ      CX
	JNZ       four
	RET
