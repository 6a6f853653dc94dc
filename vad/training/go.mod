module steno/vad/training

go 1.26.0

require (
	google.golang.org/protobuf v1.36.12
	steno v0.0.0
)

require golang.org/x/sys v0.48.0 // indirect

replace steno => ../..
