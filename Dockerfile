# syntax=docker/dockerfile:1

# The image holds what the npm package holds, and the packages that package-lock.json names. What builds it is in a stage of its own.
FROM node:24-bookworm-slim AS packages
WORKDIR /opt/fonds
COPY package.json package-lock.json ./
COPY packages/bag/package.json packages/bag/
COPY packages/bytes/package.json packages/bytes/
COPY packages/cdx/package.json packages/cdx/
COPY packages/digests/package.json packages/digests/
COPY packages/download/package.json packages/download/
COPY packages/ocfl/package.json packages/ocfl/
COPY packages/premis/package.json packages/premis/
COPY packages/sound/package.json packages/sound/
COPY packages/tlog/package.json packages/tlog/
COPY packages/toolbox/package.json packages/toolbox/
COPY packages/warc/package.json packages/warc/
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim AS built
WORKDIR /opt/fonds
COPY package.json package-lock.json tsconfig.json ./
COPY dashboard/package.json dashboard/
COPY packages/bag/package.json packages/bag/
COPY packages/bytes/package.json packages/bytes/
COPY packages/cdx/package.json packages/cdx/
COPY packages/digests/package.json packages/digests/
COPY packages/download/package.json packages/download/
COPY packages/ocfl/package.json packages/ocfl/
COPY packages/premis/package.json packages/premis/
COPY packages/sound/package.json packages/sound/
COPY packages/tlog/package.json packages/tlog/
COPY packages/toolbox/package.json packages/toolbox/
COPY packages/warc/package.json packages/warc/
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY bin bin
COPY dashboard dashboard
COPY docs/words.md docs/words.md
COPY infra infra
COPY packages packages
COPY src src
RUN npm run dashboard:build && npm run prepack

FROM node:24-bookworm-slim
ENV NODE_ENV=production FONDS_HOME=/data NODE_COMPILE_CACHE=/opt/fonds/node_modules/.cache/fonds
WORKDIR /opt/fonds
COPY --from=packages /opt/fonds/node_modules node_modules
COPY package.json ./
COPY bin/fonds bin/fonds
COPY --from=built /opt/fonds/lib lib
# Node keeps what it compiled by user: made once here, as the user that runs it, under a file system that may be read-only.
# A volume that is mounted at /shared belongs to that user, too.
RUN mkdir -p /data /shared node_modules/.cache && chmod 700 /data && chown node:node /data /shared node_modules/.cache
USER node
RUN bin/fonds schema --openapi >/dev/null
VOLUME /data
EXPOSE 7070
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "lib/infra/container/probe.js", "/healthz"]
ENTRYPOINT ["bin/fonds"]
CMD ["start"]
