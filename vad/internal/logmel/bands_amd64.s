#include "textflag.h"

// The constants of ln, each for eight numbers.
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

EIGHT(floor, 0x34400000)     // 512 * 3/8 / 32768^2
EIGHT(rootHalf, 0x3F3504F3)
EIGHT(one, 0x3F800000)
EIGHT(two, 0x40000000)
EIGHT(third, 0x3F2AAAAB)     // 2/3, of the third power
EIGHT(fifth, 0x3ECCCCCD)     // 2/5
EIGHT(seventh, 0x3E924925)   // 2/7
EIGHT(ln2, 0x3F317218)

// SUM adds the weighed power of eight bins to the eight sums of a band of the octet, which
// begins `from` bins behind SI.
#define SUM(band, from, sums) \
	VMOVUPS (SI)(from*4), Y8          \
	VMULPS  (32*band)(DX), Y8, Y8     \
	VADDPS  Y8, sums, sums

// func vectorBands(out *[Bands]float32, power *[points]float32, o *bandOctets)
//
// BX is at the octet, SI at the power of the bins as many
// groups on, DX at the weights. The eight bands begin at R8 to R13, AX and R15.
TEXT ·vectorBands(SB), NOSPLIT, $0-24
	MOVQ out+0(FP), DI
	MOVQ o+16(FP), BX
	LEAQ 288(BX), DX

octet:
	MOVQ   power+8(FP), SI
	MOVQ   0(BX), R8
	MOVQ   8(BX), R9
	MOVQ   16(BX), R10
	MOVQ   24(BX), R11
	MOVQ   32(BX), R12
	MOVQ   40(BX), R13
	MOVQ   48(BX), AX
	MOVQ   56(BX), R15
	MOVQ   64(BX), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7

group:
	SUM(0, R8, Y0)
	SUM(1, R9, Y1)
	SUM(2, R10, Y2)
	SUM(3, R11, Y3)
	SUM(4, R12, Y4)
	SUM(5, R13, Y5)
	SUM(6, AX, Y6)
	SUM(7, R15, Y7)
	ADDQ $256, DX
	ADDQ $32, SI
	DECQ CX
	JNZ  group

	// The eight sums of each band become one, in Y0.
	VHADDPS    Y1, Y0, Y0
	VHADDPS    Y3, Y2, Y2
	VHADDPS    Y5, Y4, Y4
	VHADDPS    Y7, Y6, Y6
	VHADDPS    Y2, Y0, Y0
	VHADDPS    Y6, Y4, Y4
	VPERM2F128 $0x20, Y4, Y0, Y1
	VPERM2F128 $0x31, Y4, Y0, Y2
	VADDPS     Y2, Y1, Y0
	VADDPS     floor<>(SB), Y0, Y0

	// ln
	VPSUBD    rootHalf<>(SB), Y0, Y1
	VPSRAD    $23, Y1, Y1                // exponent
	VPSLLD    $23, Y1, Y2
	VPSUBD    Y2, Y0, Y0                 // m
	VCVTDQ2PS Y1, Y1
	VSUBPS    one<>(SB), Y0, Y2
	VADDPS    one<>(SB), Y0, Y3
	VDIVPS    Y3, Y2, Y2                 // t
	VMULPS    Y2, Y2, Y3                 // q
	VMULPS    seventh<>(SB), Y3, Y4
	VADDPS    fifth<>(SB), Y4, Y4
	VMULPS    Y4, Y3, Y4
	VADDPS    third<>(SB), Y4, Y4
	VMULPS    Y4, Y3, Y4
	VADDPS    two<>(SB), Y4, Y4
	VMULPS    Y4, Y2, Y4
	VMULPS    ln2<>(SB), Y1, Y1
	VADDPS    Y4, Y1, Y1
	VMOVUPS   Y1, (DI)

	MOVQ out+0(FP), AX
	ADDQ $128, AX
	ADDQ $72, BX
	ADDQ $32, DI
	CMPQ DI, AX
	JNE  octet
	VZEROUPPER
	RET
