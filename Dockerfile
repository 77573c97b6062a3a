# One image per service: gateway, identity, training, content, deployments, data, serving-runtime.
#
#   docker build --build-arg SERVICE=gateway --tag aiplatform/gateway:0.1.0 .
#
# `npm run images` makes all of them. The final stage has no shell and no package manager, runs as 65532 and writes to /tmp
# alone. The digests of the bases are recorded in docs/operations/images.md.
ARG NODE_IMAGE=node:26.10.0-trixie-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
ARG RUNTIME_IMAGE=gcr.io/distroless/nodejs26-debian13:nonroot@sha256:afc6657a4b662f9cb69ca892b0596e55d6ef81a10e83ee8887b13f602877df89

# What decides which packages are installed, and nothing else: a change of sources does not install again.
FROM ${NODE_IMAGE} AS manifests
WORKDIR /src
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json ! -name .npmrc -delete

FROM ${NODE_IMAGE} AS packages
WORKDIR /src
# Another registry than npm's own, as npm reads it from its environment.
ARG npm_config_registry
COPY --from=manifests /src ./
RUN npm ci --ignore-scripts --no-audit --no-fund

FROM packages AS content
COPY . .
ARG SERVICE
RUN node scripts/images-content.ts "${SERVICE}" /image

FROM ${RUNTIME_IMAGE}
ARG SERVICE
ARG VERSION=0.0.0
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="aiplatform-${SERVICE}" \
      org.opencontainers.image.description="The ${SERVICE} of the AI platform" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    SERVICE=${SERVICE}
WORKDIR /app
COPY --from=content /image /
USER 65532:65532
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["/nodejs/bin/node", "/app/health.js"]
# Node is process 1 and hears SIGTERM itself.
ENTRYPOINT ["/nodejs/bin/node", "/app/main.js"]
