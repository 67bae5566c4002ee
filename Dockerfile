# One image for every process of the shop: api (the default), worker, migrate, seed and the sandbox
# differ only in the command. The server has no build: Node runs its TypeScript as it is.

# The manifests alone, so that dependencies are installed again only when one of these changes.
FROM node:24-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY auditor/package.json auditor/
COPY portal/package.json portal/
COPY sandbox/package.json sandbox/
COPY e2e/package.json e2e/

# No package may run install scripts, here or below: none of ours needs one.
FROM manifests AS portal
RUN npm ci --ignore-scripts --workspace portal
COPY tsconfig.json ./
COPY contract contract
COPY portal portal
RUN npm run build --workspace portal

# Only these workspaces, without root dependencies: PostgreSQL and Node for development.
FROM manifests AS dependencies
RUN npm ci --ignore-scripts --omit=dev --workspace server --workspace auditor --workspace sandbox

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 PORTAL_DIR=/app/portal/dist
COPY --from=dependencies /app ./
COPY contract contract
COPY server server
COPY auditor auditor
COPY sandbox sandbox
COPY tools tools
COPY demo/shop demo/shop
COPY --from=portal /app/portal/dist portal/dist
# This user exists in the Node image. All files belong to root, so the server cannot change its own
# code.
USER node
EXPOSE 8080
CMD ["node", "server/src/api.ts"]
