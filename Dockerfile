# The image that ships; docs/image.md says what is in it, and `npm run image` builds it. Whatever builds it for several platforms runs the
# first stage once, on its own: JavaScript is the same everywhere. The other two only give files, so nothing of another platform is ever run.

FROM --platform=$BUILDPLATFORM docker.io/library/node:26-slim AS build
WORKDIR /src
# What changes least comes first, so that an edit of the sources does not fetch all packages again.
COPY package.json package-lock.json .npmrc ./
# The lock has a link to each workspace.
COPY src/package.json src/
COPY packages/inspector/package.json packages/inspector/
COPY packages/lab/package.json packages/lab/
COPY packages/simulator/package.json packages/simulator/
COPY packages/testing/package.json packages/testing/
COPY hack/node/ hack/node/
# With the optional packages: the bundler's native part is one of them, and so is the Node of the lock, by which `npm run` builds.
RUN npm ci --no-audit --no-fund
COPY . .
ARG REVISION=unknown
# The newest time that a file of the image bears. Builders know it by this name; theirs and ours must be the same.
ARG SOURCE_DATE_EPOCH=0
# The name that gardenlet's command has leads to the bundle. The kernel takes one word after `#!`, and there is no `env` to ask for Node.
RUN DWD_COMMIT="$REVISION" npm run --silent build -- --into /image/usr/local/lib/dependency-watchdog \
 && sed -i '1s|^#!.*|#!/nodejs/bin/node|' /image/usr/local/lib/dependency-watchdog/main.js \
 && mkdir -p /image/usr/local/bin \
 && ln -s ../lib/dependency-watchdog/main.js /image/usr/local/bin/dependency-watchdog \
 && find /image -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

# Of the platform that the image is for.
FROM docker.io/library/node:26-slim AS native

FROM gcr.io/distroless/nodejs26-debian13:nonroot
# Node 26 is linked to it. Not every base that has Node has this library, and one more of it does no harm.
COPY --from=native /usr/lib/*-linux-gnu/libatomic.so.1* /usr/lib/
COPY --from=build /image/ /

# As hack/build/runtime-flags.ts has it, with the reasons; a test compares the two.
ENV NODE_OPTIONS="--max-old-space-size-percentage=50 --max-semi-space-size=4" \
    MALLOC_ARENA_MAX=1 \
    MALLOC_TRIM_THRESHOLD_=65536 \
    MALLOC_MMAP_THRESHOLD_=16384

ARG VERSION=unknown
ARG REVISION=unknown
ARG CREATED=unknown
LABEL org.opencontainers.image.title="dependency-watchdog" \
      org.opencontainers.image.description="Keeps a Gardener seed's shoots out of node meltdowns, and gets crash-looping control planes back on their feet" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="gcr.io/distroless/nodejs26-debian13:nonroot" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED"

# By number: Kubernetes cannot tell whether a user with a name is root (`runAsNonRoot`).
USER 65532:65532
WORKDIR /
# Metrics, health, and the journal, which listens to the pod itself alone.
EXPOSE 9643 9644 9645
ENTRYPOINT ["/usr/local/bin/dependency-watchdog"]
