# make demo   a real recording through a live session, then keep serving: FILE=yours.mp3, MODEL=none or a model, V=1 for figures
# make test   everything that can be checked: ten to twenty minutes
# make help   the rest, and how long it takes

# Everything steno needs at run time, and what its tests and demo use besides. All are Debian's.
PACKAGES := pocketsphinx pocketsphinx-en-us libpocketsphinx3 pocketsphinx-testdata ffmpeg bubblewrap gcc libc6-dev \
	apertium apertium-eng-spa
LISTEN   ?= 127.0.0.1:8080
DATA     ?= data
ENGINE   ?= auto
MODEL    ?=
ENDTOEND := cmd/steno/endtoend
SDK      := $(ENDTOEND)/testdata/sdk
CONSOLE  := gateway/console

# Client libraries of other services in Python, with which tests talk to the dialects.
DIALECTS := gateway/testdata/dialects
CLIENTS  := $(or $(filter /%,$(XDG_CACHE_HOME)),$(HOME)/.cache)/steno/dialect-clients

# The model for a first start, and the folder in which steno models keeps it for all checkouts of a user.
FIRST    := moonshine-tiny-en
STORE    := $(or $(filter /%,$(XDG_CACHE_HOME)),$(HOME)/.cache)/steno/models

# A release: what make dist is called, and the time of everything in it.
VERSION  ?= $(shell git describe --tags 2>/dev/null || git log -1 --format=0~%cd.%h --date=format:%Y%m%d 2>/dev/null || echo 0)
EPOCH     = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null),0)

.PHONY: help deps build console demo run test dist dist-test chaos bench profile lint fit clean

# Times are for two cores; the first build takes minutes more.
help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile
	@echo 'make check  build, vet, lint, unit tests without servers: seconds to a minute'
	@echo 'make lint   formatting, vet, staticcheck, known vulnerabilities, English and widths: two minutes, half of one once it ran'
	@echo 'make build  steno, steno-engine and loadtest into ./bin: a minute'
	@echo 'make run    serve on $(LISTEN), data in ./$(DATA)'
	@echo 'make console  the bundle of the web console from its sources: seconds'
	@echo 'make dist   a release into ./dist: .tar.gz, .deb, bill of materials, provenance, checksums: minutes'
	@echo 'make dist-test  the Dockerfile and the release in clean Debian systems; as root: half an hour'
	@echo 'make chaos  many gateways on Valkey, everything failing: three times CHAOS=10m'
	@echo 'make histories  random histories of clients and faults on a fake clock, HISTORIES=1000: ten minutes'
	@echo 'make promises  such histories on gateways that break one promise each, which they must notice: half an hour'
	@echo 'make soak   all kinds of clients, and faults, for SOAK=30m; the report is soak.html'
	@echo 'make test-whisper  five languages, heard by a real Whisper server, which is installed first: ten minutes'
	@echo 'make test-agents  services of pipecat and LiveKit, which are installed first, also as the gateway is restarted: minutes'
	@echo 'make bench  the figures: speech detection, word error rates, delays, load: an hour'
	@echo 'make bench-words  word errors by engine, delays of partials and finals, memory: ten minutes and more'
	@echo 'make profile  cmd/steno/default.pgo again: what the compiler optimises the gateway for: minutes'
	@echo 'make fuzz   every parser of bytes from outside gets random ones, FUZZTIME=10m each: hours'
	@echo 'make fit    the weights of the speech detector, see $(TRAINING)/README.md: an hour for each seed'

# Quick when nothing is missing. Without root it says what to install.
deps: deps-system deps-node deps-python
	@go mod download

.PHONY: deps-system deps-compiler deps-node deps-python
deps-compiler: PACKAGES = gcc libc6-dev
deps-system deps-compiler:
	@missing=$$(for p in $(PACKAGES); do \
		dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
	if [ -n "$$missing" ]; then \
		as=$$( [ "$$(id -u)" = 0 ] || echo sudo ); \
		command -v apt-get >/dev/null || { echo "please install:" $$missing; exit 1; }; \
		echo "installing:" $$missing; \
		$$as apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive $$as apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	fi

deps-node: deps-system
	@if command -v npm >/dev/null && [ -f $(SDK)/package-lock.json ] && \
		[ ! $(SDK)/node_modules -nt $(SDK)/package-lock.json ]; then \
		(cd $(SDK) && npm ci --silent --no-audit --no-fund && touch node_modules) || \
		echo "npm packages could not be installed: the test with the public SDK will be skipped"; \
	fi
	@if command -v npm >/dev/null && [ ! $(CONSOLE)/node_modules -nt $(CONSOLE)/package-lock.json ]; then \
		(cd $(CONSOLE) && npm ci --silent && touch node_modules) || \
		echo "npm packages could not be installed: the console is taken as it is in dist"; \
	fi

deps-python: deps-system
	@if [ ! $(call quoted,$(CLIENTS)/ready) -nt $(DIALECTS)/requirements.txt ]; then \
		(python3 -m venv $(call quoted,$(CLIENTS)) && \
		$(call quoted,$(CLIENTS)/bin/pip) install --quiet --no-compile -r $(DIALECTS)/requirements.txt && \
		touch $(call quoted,$(CLIENTS)/ready)) || \
		echo "Python client libraries could not be installed: the tests of dialects with them will be skipped"; \
	fi

# The engine finds the libraries of sherpa-onnx beside itself, wherever bin/ is taken.
build: deps console
	@[ -d bin ] || echo "compiling; this takes minutes the first time"
	go build -ldflags='-r $$ORIGIN' -o bin/ ./cmd/steno ./cmd/steno-engine ./cmd/loadtest
	@libraries=$$(go list -m -f '{{.Dir}}' github.com/k2-fsa/sherpa-onnx-go-linux)/lib/$$(uname -m | sed 's/^armv.*/arm/')-unknown-linux-gnu*; \
	for file in $$libraries/libsherpa-onnx-c-api.so $$libraries/libonnxruntime.so; do \
		[ ! -f $$file ] || [ bin/$${file##*/} -nt $$file ] || install -m 755 $$file bin/; \
	done

# The console's bundle from its sources, see $(CONSOLE)/doc.go.
console: deps
	@[ ! -d $(CONSOLE)/node_modules/esbuild ] || (cd $(CONSOLE) && node build.js)

# One word of the shell, whatever is in it.
quoted = '$(subst ','\'',$(1))'

# What the model is fetched with, unless it is here.
PIP = $(shell [ -d $(call quoted,$(STORE)/$(FIRST)) ] || python3 -m pip --version >/dev/null 2>&1 || echo python3-pip)
demo run test dist: PACKAGES += $(PIP)

demo: build
	@BIN=./bin MODEL=$(call quoted,$(MODEL)) V=$(call quoted,$(V)) \
		./cmd/demo.sh $(LISTEN) $(call quoted,$(DATA)) $(ENGINE) $(call quoted,$(FILE))

run: build
	$(if $(filter none,$(MODEL)),,$(if $(filter auto moonshine,$(ENGINE)),STENO_DATA=$(call quoted,$(DATA)) ./bin/steno models pull --first))
	./bin/steno serve --listen $(LISTEN) --data $(call quoted,$(DATA)) --engine $(ENGINE)

# Packages in which nothing runs beside anything else (a test holds them to it). Most only calculate, and the race detector would
# make them ten times slower. What they share between goroutines is watched in the tests of the packages that use them.
CALM = audio messages vad vad/internal/activation vad/internal/logmel cmd/lint cmd/steno/config session/speaker session/transcribe \
	session/addon/chapters session/addon/entities session/addon/punctuation session/addon/redact session/addon/registry \
	session/addon/sentences session/addon/sentiment session/addon/spelling session/addon/subtitles session/addon/summary \
	session/addon/summary/terms session/addon/vocabulary session/asr/riva/wire session/asr/sphinx/g2p session/asr/sherpa/folder \
	session/asr/sherpa/onnx session/asr/sherpa/internal/fakemodels session/asr/align/estimate session/asr/asrtest/corpus \
	session/asr/wer session/store/metadata gateway/console gateway/openapi gateway/uploads gateway/dialect gateway/dialect/calls \
	gateway/dialect/assemblyai/files gateway/dialect/assemblyai/streaming gateway/dialect/deepgram/files \
	gateway/dialect/deepgram/flux gateway/dialect/gladia gateway/dialect/openai gateway/dialect/openai/files \
	gateway/dialect/openai/realtime gateway/dialect/opus gateway/dialect/telnyx gateway/dialect/tracks gateway/dialect/twilio \
	gateway/dialect/vonage gateway/dialect/vosk audio/process audio/process/confine cmd/steno/certificates cmd/steno/decoding \
	cmd/steno/descriptors cmd/steno/recognizers cmd/steno/stores cmd/steno/terminal cmd/steno/trial gateway/dialect/deepgram/listen \
	gateway/dialect/registry gateway/ratelimit gateway/recovery gateway/tracing gateway/transcripts \
	loadtest/reference session/asr/clean session/asr/sphinx/pronounce session/filelock session/httpclient \
	session/internal/samples session/store/backup session/store/embedded/statements session/store/valkey/outbox session/store/valkey/records \
	session/store/valkey/tier

# The module that trains the speech detector. It calculates, and is tested without the race detector, too: its goroutines
# hand numbers of scenes to each other, and each writes to elements of its own.
TRAINING = vad/training

# Packages whose tests take longest, many of them by waiting. They are begun first, so that none runs alone at the end.
LONG = gateway session/asr/sphinx session session/store/valkey audio/media

# Properties of whole sessions, tried with many random ones without the race detector, and with fewer or none under it.
PROPERTIES = AFunctionOf|AddonsSurvive|AllocatesNothing|SilentSession

# The race detector watches the project and its libraries, but not the inside of the database, C translated to Go, which it
# would make fifteen times slower; nor arithmetic, package math and that of samples, whose callers it watches: it is given numbers
# and shares nothing but tables of its own; nor Valkey's commands, which are slow enough to compile. A package that has functions of
# sync compiled into it must be watched where others see what these guard: they would be found to race. What libraries do with
# unsafe pointers is theirs to check.
UNWATCHED = modernc.org/... math steno/audio steno/audio/audiotest steno/vad steno/vad/internal/... steno/session/speaker \
	steno/session/asr/sphinx/g2p
RACE = -race -gcflags='all=-d=checkptr=0 $(LEAN)' -gcflags='steno/...=$(LEAN)' $(UNWATCHED:%=-gcflags='%=$(ALONE)') \
	-gcflags='$(COMMANDS)=-N -l $(ALONE)'
ALONE = -race=false -d=checkptr=0 $(LEAN)

# The tests' programs, and those that tests build, have no debug information: to make it takes an eighth of the time. Nor are they
# optimised by a profile, for which everything, libraries too, would be compiled once more. Two packages are compiled at once, so
# that more threads for each only take more processor time. Valkey's commands are slowest to compile, and little of them is used.
LEAN     = -dwarf=false -c=1
COMMANDS = github.com/valkey-io/valkey-go/internal/cmds
QUICK    = -pgo=off '-gcflags=all=$(LEAN)' '-gcflags=$(COMMANDS)=-N -l $(LEAN)'
compile-race compile-calm compile-programs test-model test-race test-calm test-endtoend: export GOFLAGS = $(QUICK)

# What is said in five languages, heard by a Whisper server with the multilingual base model: 230 MB to fetch, once for each user.
WHISPER = python3-pip asterisk-core-sounds-fr-g722 asterisk-core-sounds-it-g722
.PHONY: test-whisper
test-whisper: PACKAGES += $(WHISPER)
test-whisper: deps
	@cmd/install-whisper.sh
	STENO_TEST_WHISPER=1 go test -pgo=off -count=1 -timeout 40m -run '^TestWhisper' -v ./$(ENDTOEND)

# What the services of frameworks for voice agents get of a gateway, pipecat's also of one that is restarted, killed or taken over:
# a gigabyte to install, once for each user.
AGENTS  = $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/steno
PIPECAT = $(AGENTS)/pipecat-1.14.0-2
LIVEKIT = $(AGENTS)/livekit-1.8.9
OF_PIPECAT = 'pipecat-ai[gladia,openai,deepgram,assemblyai,websocket]==1.14.0'
OF_LIVEKIT = $(patsubst %,%==1.8.9,livekit-agents livekit-plugins-openai livekit-plugins-deepgram livekit-plugins-assemblyai)
install = [ -e $(call quoted,$(1)/ready) ] || { python3 -m venv $(call quoted,$(1)) && \
	$(call quoted,$(1)/bin/pip) install --quiet $(2) && touch $(call quoted,$(1)/ready); }
.PHONY: test-agents
test-agents: PACKAGES += python3-venv
test-agents: deps
	@cmd/install-valkey.sh || echo "no Valkey server could be installed: the test of a takeover will be skipped"
	@$(call install,$(PIPECAT),$(OF_PIPECAT))
	@$(call install,$(LIVEKIT),$(OF_LIVEKIT))
	STENO_TEST_PIPECAT=$(call quoted,$(PIPECAT)/bin/python) STENO_TEST_LIVEKIT=$(call quoted,$(LIVEKIT)/bin/python) \
		go test -pgo=off -count=1 -run '^TestPipecat$$|^TestAgents$$' -v ./$(ENDTOEND) ./gateway

# Three lots of tests run beside each other: those with the race detector, those that run the programs, and, with what processor
# time others leave, those that only calculate; of these, first what uses one processor alone. More tests than processors run at
# once, since many wait. What they talk to is installed while the compiler works. go vet is part of make lint.
test test-servers: PACKAGES += chromium curl jq sqlite3 python3-requests python3-websockets
test: deps-compiler
	@STENO_TEST_MODELS=$${STENO_TEST_MODELS:-$(call quoted,$(STORE))} && export STENO_TEST_MODELS && \
		$(MAKE) --no-print-directory -j 3 test-race test-endtoend test-calm

.PHONY: test-servers test-model
test-servers: deps
	@cmd/install-valkey.sh || echo "no Valkey server could be installed: tests with several gateways will be skipped"

test-model: compile-calm
	@[ $(call quoted,$(STENO_TEST_MODELS)) != $(call quoted,$(STORE)) ] || [ -d $(call quoted,$(STORE)/$(FIRST)) ] || \
		go run -ldflags='-s -w' ./cmd/steno models pull --no-test --models $(call quoted,$(STORE)) $(FIRST) || \
		echo "the model cannot be had: tests with it will be skipped"

# The compiler uses an eighth less processor time where it collects less garbage. The tests themselves do not run like that.
GO_TEST = go test -vet=off -ldflags=-s -toolexec 'env GOGC=400'
LIBRARIES = $$(go list -f '{{if ne .Name "main"}}{{.ImportPath}}{{end}}' ./...)
.PHONY: compile-race compile-calm compile-programs test-race test-endtoend test-calm
compile-race:
	GOGC=400 go build $(RACE) $(LIBRARIES)

compile-calm:
	GOGC=400 go build $(LIBRARIES)

# The programs that tests run, linked once for all packages.
PROGRAMS = $(CURDIR)/bin/tests
test-race test-endtoend test-calm: export STENO_TEST_PROGRAMS = $(PROGRAMS)
compile-programs: compile-calm
	go build -ldflags='-s -w' -o $(call quoted,$(PROGRAMS)/) ./cmd/steno ./cmd/steno-engine ./cmd/loadtest

# The race detector would sleep for a second at the end of each program.
test-race: export GORACE = atexit_sleep_ms=0
test-race: compile-race compile-programs test-servers test-model
	$(GO_TEST) $(RACE) -timeout 30m -p 4 -parallel 4 $(LONG:%=./%) \
		$$(go list ./... | grep -vxF "$$(printf 'steno/%s\n' $(ENDTOEND) $(CALM) $(LONG))")

# The race detector would not see into the programs.
test-endtoend: compile-programs test-servers test-model
	$(GO_TEST) -timeout 30m -parallel 4 ./$(ENDTOEND)

test-calm: compile-programs test-servers test-model
	cd $(TRAINING) && nice $(GO_TEST) -timeout 14m -p 2 ./...
	nice $(GO_TEST) -timeout 14m -run '$(PROPERTIES)' ./session
	nice $(GO_TEST) -timeout 14m -p 2 $(CALM:%=./%)

dist: deps
	SOURCE_DATE_EPOCH=$(EPOCH) cmd/dist/dist.sh '$(VERSION)' dist

# Slow: systems are installed from Debian's packages, for which it is root.
dist-test: PACKAGES += debootstrap iproute2 curl openssl
dist-test: deps
	STENO_DIST_TEST=1 go test -pgo=off -vet=off -count=1 -timeout 60m -v ./cmd/dist

# Gateways, Valkey and connections fail for CHAOS while many clients speak, in each of three scenarios.
CHAOS    ?= 10m
chaos: deps
	@cmd/install-valkey.sh
	STENO_CHAOS=$(CHAOS) go test -pgo=off -count=1 -timeout 4h -run 'TestCluster$$' -v ./$(ENDTOEND)

# Random histories of clients and faults on a fake clock, compared with what the gateway promises. A seed is named where one fails.
HISTORIES ?= 1000
SEED      ?= 1
.PHONY: histories promises soak
histories: deps
	go test -pgo=off -vet=off -count=1 -timeout 4h -run '^TestFaultHistories$$' ./gateway -histories $(HISTORIES) -history.seed $(SEED)

promises: deps
	go test -pgo=off -vet=off -count=1 -timeout 4h -run '^TestPromisesCanBeBroken$$' -v ./gateway -history.breaches -histories 60

# Clients of all kinds come and go at two gateways on Valkey, while things fail. Nothing that one of them holds may grow.
SOAK     ?= 30m
soak: deps
	@cmd/install-valkey.sh
	STENO_SOAK=$(SOAK) STENO_SOAK_REPORT=$(CURDIR)/soak.html go test -pgo=off -vet=off -count=1 -timeout 24h -run '^TestSoak$$' -v ./$(ENDTOEND)

bench: PACKAGES += nats-server
bench: build
	go test -pgo=off -run '^$$' -bench . -benchtime 1x -timeout 60m -p 1 -v ./vad ./audio ./session/... ./cmd/steno ./$(ENDTOEND) ./loadtest | grep -v '^=== '
	cd $(TRAINING) && go test -pgo=off -run '^$$' -bench . -benchtime 1x -timeout 60m -p 1 -v ./... | grep -v '^=== '
	go test -pgo=off -run '^$$' -bench . -benchtime 2000x -v ./gateway/subscribers | grep -v '^=== '

# What people get of each engine, in 12 minutes: WORDS='(errors|single|invented|names|partials|finals|ten|others)' takes these tables,
# WORDS=errors/moonshine one engine, OTHERS=1 fetches other recognizers (200 MB) to be compared. Recordings and models are those of
# STENO_TEST_AUDIO, STENO_TEST_EAR and STENO_TEST_MODELS.
WORDS    ?= .
OTHERS   ?=
.PHONY: bench-words
bench-words: build
	STENO_BENCH_OTHERS=$(OTHERS) go test -pgo=off -vet=off -run '^$$' -bench 'Words/$(WORDS)' -benchtime 1x -timeout 40m -v ./cmd/steno | \
		grep -v '^=== \|^Benchmark'

# The compiler optimises steno for where its processor time goes with many sessions; make profile measures that anew. With -pgo=off the
# tests share what is compiled for the other programs.
profile: deps
	rm -f cmd/steno/default.pgo
	STENO_PROFILE=$(CURDIR)/cmd/steno/default.pgo go test -pgo=off -run '^$$' -bench 'FrameCost/(300_speaking|1000_half|2500)' -benchtime 1x ./$(ENDTOEND)

# Where programs are kept that only check.
TOOLS  = $(or $(filter /%,$(XDG_CACHE_HOME)),$(HOME)/.cache)/steno/tools
FORMAT = bad=$$(gofmt -l cmd gateway session audio vad messages loadtest); [ -z "$$bad" ] || { echo "not gofmt-clean:" $$bad; exit 1; }
lint: deps
	@$(FORMAT)
	go run ./cmd/lint
	go vet -pgo=off ./...
	go run honnef.co/go/tools/cmd/staticcheck@v0.7.0 ./...
	cd $(TRAINING) && go vet -pgo=off ./... && go run honnef.co/go/tools/cmd/staticcheck@v0.7.0 ./...
	@GOBIN=$(call quoted,$(TOOLS)) go install golang.org/x/vuln/cmd/govulncheck@v1.9.0
	@$(call quoted,$(TOOLS)/govulncheck) ./...; found=$$?; [ $$found != 3 ] || exit 1; \
		[ $$found = 0 ] || echo "the list of known vulnerabilities cannot be had: nothing was compared with it"

# Every fuzz target in turn, each for FUZZTIME on one processor, until one finds something, which go test keeps below testdata.
FUZZTIME ?= 10m
.PHONY: fuzz
fuzz:
	@grep -rl --include='*_test.go' '^func Fuzz' $$(ls -d */ | grep -v '^vad/') vad/*_test.go | sort | while read -r file; do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9]*\)(.*/\1/p' "$$file"); do \
			echo "$${file%/*} $$target"; \
			go test -pgo=off -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -parallel 1 "./$${file%/*}" </dev/null || exit 1; \
		done; \
	done

# What is run while one works: no package whose tests start a program, a server or a browser. Results that
# cannot have changed are those of the run before.
STARTS  = "os/exec"|media\.New|/(cmdtest|valkeytest|sherpatest|asrtest/corpus)"|nats
CHECKED = $$(go list -pgo=off -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | grep -vxF \
	"$$(grep -rlE '$(STARTS)' --include='*_test.go' $$(ls -d */) | xargs -n 1 dirname | sort -u | sed 's,^,steno/,')")
.PHONY: check
check:
	@$(FORMAT)
	go build -pgo=off ./...
	go vet -pgo=off ./...
	go run ./cmd/lint
	go test -short -vet=off -pgo=off -ldflags=-w $(CHECKED)

# Trains the speech detector's network again, see $(TRAINING)/README.md.
SEEDS    ?= 1,2
SCENES   ?= 12032
EPOCHS   ?= 9,14,10
SHIFT    ?= 0
fit:
	cd $(TRAINING) && GOEXPERIMENT=simd go run ./fit -recordings "$$STENO_TEST_EAR,$$STENO_TEST_AUDIO" \
		-teacher "$$STENO_TEST_MODELS/silero-vad/silero_vad_16k_op15.onnx" \
		-seeds $(SEEDS) -scenes $(SCENES) -epochs $(EPOCHS) -shift $(SHIFT) -workers 2 -out ../weights.go

clean:
	rm -rf bin dist
