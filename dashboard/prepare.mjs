// Runs at `npm install`, on whatever Node there is: builds the page where its tools are installed, and says so where not.
// An installation never fails on it.
try {
  const { build } = await import('vite')
  await build({ configFile: new URL('vite.config.ts', import.meta.url).pathname })
} catch (error) {
  console.error(`The page was not built (${error.code ?? error.message}): npm run dashboard:build`)
}
