#include "textflag.h"

// func butterflies2(re, im *float64, w *twiddles, n int)
TEXT ·butterflies2(SB), NOSPLIT, $0-32
	MOVQ re+0(FP), DI
	MOVQ im+8(FP), SI
	MOVQ w+16(FP), BX
	MOVQ n+24(FP), CX
	MOVQ CX, DX
	SHLQ $5, DX          // bytes of a quarter
	ADDQ CX, CX
	MOVQ $16, R10        // to the twiddles of the next two, and of the two after that
	MOVQ $176, R11
	LEAQ (DI)(DX*1), R8
	LEAQ (SI)(DX*1), R9

pair:
	MOVUPD (DI), X0
	MOVUPD (DI)(DX*2), X1
	MOVAPD X0, X2
	ADDPD  X1, X0        // sr
	SUBPD  X1, X2        // tr
	MOVUPD (SI), X3
	MOVUPD (SI)(DX*2), X4
	MOVAPD X3, X5
	ADDPD  X4, X3        // si
	SUBPD  X4, X5        // ti
	MOVUPD (R8), X6
	MOVUPD (R8)(DX*2), X7
	MOVAPD X6, X8
	ADDPD  X7, X8        // ur
	SUBPD  X6, X7        // vi
	MOVUPD (R9), X9
	MOVUPD (R9)(DX*2), X10
	MOVAPD X9, X11
	ADDPD  X10, X11      // ui
	SUBPD  X10, X9       // vr

	MOVAPD X0, X12
	MOVAPD X3, X13
	ADDPD  X8, X12
	ADDPD  X11, X13
	MOVUPD X12, (DI)
	MOVUPD X13, (SI)

	MOVAPD X2, X12
	MOVAPD X5, X13
	ADDPD  X9, X12
	ADDPD  X7, X13
	MOVUPD 0(BX), X14
	MOVUPD 32(BX), X15
	MOVAPD X12, X4
	MOVAPD X13, X1
	MULPD  X14, X4
	MULPD  X15, X1
	MULPD  X15, X12
	MULPD  X14, X13
	SUBPD  X1, X4
	ADDPD  X13, X12
	MOVUPD X4, (R8)
	MOVUPD X12, (R9)

	SUBPD  X8, X0
	SUBPD  X11, X3
	MOVUPD 64(BX), X14
	MOVUPD 96(BX), X15
	MOVAPD X0, X4
	MOVAPD X3, X1
	MULPD  X14, X4
	MULPD  X15, X1
	MULPD  X15, X0
	MULPD  X14, X3
	SUBPD  X1, X4
	ADDPD  X3, X0
	MOVUPD X4, (DI)(DX*2)
	MOVUPD X0, (SI)(DX*2)

	SUBPD  X9, X2
	SUBPD  X7, X5
	MOVUPD 128(BX), X14
	MOVUPD 160(BX), X15
	MOVAPD X2, X4
	MOVAPD X5, X1
	MULPD  X14, X4
	MULPD  X15, X1
	MULPD  X15, X2
	MULPD  X14, X5
	SUBPD  X1, X4
	ADDPD  X5, X2
	MOVUPD X4, (R8)(DX*2)
	MOVUPD X2, (R9)(DX*2)

	ADDQ $16, DI
	ADDQ $16, SI
	ADDQ $16, R8
	ADDQ $16, R9
	ADDQ R10, BX
	XCHGQ R10, R11
	DECQ CX
	JNZ  pair
	RET

// func butterflies4(re, im *float64, w *twiddles, n int)
TEXT ·butterflies4(SB), NOSPLIT, $0-32
	MOVQ re+0(FP), DI
	MOVQ im+8(FP), SI
	MOVQ w+16(FP), BX
	MOVQ n+24(FP), CX
	MOVQ CX, DX
	SHLQ $5, DX          // bytes of a quarter
	LEAQ (DI)(DX*1), R8
	LEAQ (SI)(DX*1), R9

four:
	VMOVUPD (DI), Y0
	VMOVUPD (DI)(DX*2), Y1
	VADDPD  Y1, Y0, Y2           // sr
	VSUBPD  Y1, Y0, Y3           // tr
	VMOVUPD (SI), Y0
	VMOVUPD (SI)(DX*2), Y1
	VADDPD  Y1, Y0, Y4           // si
	VSUBPD  Y1, Y0, Y5           // ti
	VMOVUPD (R8), Y0
	VMOVUPD (R8)(DX*2), Y1
	VADDPD  Y1, Y0, Y6           // ur
	VSUBPD  Y0, Y1, Y7           // vi
	VMOVUPD (R9), Y0
	VMOVUPD (R9)(DX*2), Y1
	VADDPD  Y1, Y0, Y8           // ui
	VSUBPD  Y1, Y0, Y9           // vr

	VADDPD  Y6, Y2, Y0
	VADDPD  Y8, Y4, Y1
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, (SI)

	VADDPD  Y9, Y3, Y0           // xr
	VADDPD  Y7, Y5, Y1           // xi
	VMOVUPD 0(BX), Y14
	VMOVUPD 32(BX), Y15
	VMULPD  Y14, Y0, Y10
	VMULPD  Y15, Y1, Y11
	VMULPD  Y15, Y0, Y12
	VMULPD  Y14, Y1, Y13
	VSUBPD  Y11, Y10, Y10
	VADDPD  Y13, Y12, Y12
	VMOVUPD Y10, (R8)
	VMOVUPD Y12, (R9)

	VSUBPD  Y6, Y2, Y0
	VSUBPD  Y8, Y4, Y1
	VMOVUPD 64(BX), Y14
	VMOVUPD 96(BX), Y15
	VMULPD  Y14, Y0, Y10
	VMULPD  Y15, Y1, Y11
	VMULPD  Y15, Y0, Y12
	VMULPD  Y14, Y1, Y13
	VSUBPD  Y11, Y10, Y10
	VADDPD  Y13, Y12, Y12
	VMOVUPD Y10, (DI)(DX*2)
	VMOVUPD Y12, (SI)(DX*2)

	VSUBPD  Y9, Y3, Y0
	VSUBPD  Y7, Y5, Y1
	VMOVUPD 128(BX), Y14
	VMOVUPD 160(BX), Y15
	VMULPD  Y14, Y0, Y10
	VMULPD  Y15, Y1, Y11
	VMULPD  Y15, Y0, Y12
	VMULPD  Y14, Y1, Y13
	VSUBPD  Y11, Y10, Y10
	VADDPD  Y13, Y12, Y12
	VMOVUPD Y10, (R8)(DX*2)
	VMOVUPD Y12, (R9)(DX*2)

	ADDQ $32, DI
	ADDQ $32, SI
	ADDQ $32, R8
	ADDQ $32, R9
	ADDQ $192, BX
	DECQ CX
	JNZ  four
	VZEROUPPER
	RET

// func weigh8(re, im *float64, samples *int16, even, odd *float64, n int)
TEXT ·weigh8(SB), NOSPLIT, $0-48
	MOVQ re+0(FP), DI
	MOVQ im+8(FP), SI
	MOVQ samples+16(FP), BX
	MOVQ even+24(FP), R8
	MOVQ odd+32(FP), R9
	MOVQ n+40(FP), CX

eight:
	MOVOU    (BX), X0
	MOVO     X0, X1
	PSLLL    $16, X0
	PSRAL    $16, X0         // even samples
	PSRAL    $16, X1         // odd samples
	CVTPL2PD X0, X2
	CVTPL2PD X1, X3
	PSHUFD   $0xEE, X0, X0
	PSHUFD   $0xEE, X1, X1
	CVTPL2PD X0, X4
	CVTPL2PD X1, X5
	MOVUPD   (R8), X6
	MOVUPD   16(R8), X7
	MOVUPD   (R9), X8
	MOVUPD   16(R9), X9
	MULPD    X6, X2
	MULPD    X7, X4
	MULPD    X8, X3
	MULPD    X9, X5
	MOVUPD   X2, (DI)
	MOVUPD   X4, 16(DI)
	MOVUPD   X3, (SI)
	MOVUPD   X5, 16(SI)
	ADDQ     $16, BX
	ADDQ     $32, DI
	ADDQ     $32, SI
	ADDQ     $32, R8
	ADDQ     $32, R9
	DECQ     CX
	JNZ      eight
	RET
