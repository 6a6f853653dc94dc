# The gateway with its engines and the default model, run by nobody in particular. It needs no flags and no privileges: ffmpeg and
# the engines are confined by Landlock and a filter of system calls. That takes a kernel of 5.13 or later with Landlock enabled.
# Else bubblewrap is tried for ffmpeg, which most containers do not allow, and engines.sandbox must be off. The log says which one
# is used. Only /data is written, temporary files included, so that the root may be read-only:
#
#   docker run --read-only --cap-drop ALL --security-opt no-new-privileges -v steno:/data -p 8080:8080 steno
FROM golang:1.26-bookworm AS build
ARG VERSION=
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w -X main.version=$VERSION" -o /out/ ./cmd/steno ./cmd/loadtest && \
    go build -trimpath -ldflags='-s -w -r $ORIGIN' -o /out/ ./cmd/steno-engine && \
    libraries="$(go list -m -f '{{.Dir}}' github.com/k2-fsa/sherpa-onnx-go-linux)/lib/$(uname -m)-unknown-linux-gnu" && \
    install -m 644 "$libraries/libsherpa-onnx-c-api.so" "$libraries/libonnxruntime.so" /out/
# The default model with its licence, fetched by pip.
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-pip && \
    /out/steno models pull --no-test --models /models moonshine-tiny-en && rm -f /models/.*.lock
# The licences of everything, and the bill of materials.
RUN go run ./cmd/dist --version "${VERSION:-0}" --time "$(date +%s)" --console gateway/console/dist/console.js --models /models \
        --out /papers /out/* && \
    cp LICENSE NOTICE /papers/

FROM debian:bookworm-slim
RUN apt-get update -qq && \
    apt-get install -y -qq --no-install-recommends \
        bubblewrap ca-certificates ffmpeg libpocketsphinx3 libstdc++6 pocketsphinx-en-us && \
    rm -rf /var/lib/apt/lists/* && \
    useradd --system --uid 10001 --home-dir /data steno && \
    install -d -o steno -g steno -m 0700 /data
COPY --from=build /out/ /usr/local/bin/
COPY --from=build /models/ /usr/local/share/steno/models/
COPY --from=build /papers/ /usr/share/doc/steno/
# By its number: Kubernetes does not believe of a name that it is not root's.
USER 10001
VOLUME /data
EXPOSE 8080
ENV STENO_LISTEN=0.0.0.0:8080 STENO_DATA=/data TMPDIR=/data
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["steno", "health"]
ENTRYPOINT ["steno"]
CMD ["serve"]
