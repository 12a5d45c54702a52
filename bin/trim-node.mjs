import { rmSync } from 'node:fs'

// Runs at `npm install`, on whatever Node there is. The package `node` keeps headers of C beside the program: 67 MB that nothing
// here compiles with. The program is a link of its own, and stays.
rmSync(new URL('../node_modules/node/node_modules', import.meta.url), { recursive: true, force: true })
