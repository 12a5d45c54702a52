# syntax=docker/dockerfile:1

# Fonds runs its sources as they are: the packages it needs are all that is fetched. Only the page is built, in a stage of its own.
FROM node:24-bookworm-slim AS packages
WORKDIR /opt/fonds
COPY package.json package-lock.json ./
COPY packages/bag/package.json packages/bag/
COPY packages/bytes/package.json packages/bytes/
COPY packages/cdx/package.json packages/cdx/
COPY packages/digests/package.json packages/digests/
COPY packages/download/package.json packages/download/
COPY packages/ocfl/package.json packages/ocfl/
COPY packages/sound/package.json packages/sound/
COPY packages/toolbox/package.json packages/toolbox/
COPY packages/warc/package.json packages/warc/
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim AS page
WORKDIR /opt/fonds
COPY package.json package-lock.json tsconfig.json ./
COPY packages/bag/package.json packages/bag/
COPY packages/bytes/package.json packages/bytes/
COPY packages/cdx/package.json packages/cdx/
COPY packages/digests/package.json packages/digests/
COPY packages/download/package.json packages/download/
COPY packages/ocfl/package.json packages/ocfl/
COPY packages/sound/package.json packages/sound/
COPY packages/toolbox/package.json packages/toolbox/
COPY packages/warc/package.json packages/warc/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY dashboard dashboard
RUN npm run dashboard:build

FROM node:24-bookworm-slim
ENV NODE_ENV=production FONDS_HOME=/data
WORKDIR /opt/fonds
COPY --from=packages /opt/fonds/node_modules node_modules
COPY package.json ./
COPY bin bin
COPY infra infra
COPY packages packages
COPY src src
COPY --from=page /opt/fonds/dashboard/dist dashboard/dist
# Node keeps what it compiled by user: made once here, as the user that runs it, under a file system that may be read-only.
# A volume that is mounted at /shared belongs to that user, too.
RUN mkdir -p /data /shared node_modules/.cache && chmod 700 /data && chown node:node /data /shared node_modules/.cache
USER node
RUN bin/fonds schema --openapi >/dev/null
VOLUME /data
EXPOSE 7070
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "infra/container/probe.ts", "/healthz"]
ENTRYPOINT ["bin/fonds"]
CMD ["start"]
