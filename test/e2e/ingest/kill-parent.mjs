import { readFileSync } from 'node:fs'

// Says what a file is, and of one that says so kills who asked: a test's stand-in for a file that crashes its reader.
if (readFileSync(process.argv[2], 'utf8').includes('kill')) process.kill(process.ppid, 'SIGKILL')
else process.stdout.write('text/plain\n')
