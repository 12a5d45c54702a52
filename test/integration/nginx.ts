import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launch, type Started, useFolder } from '../e2e/run-fonds.ts'
import { server } from './servers.ts'

const nginx = server('nginx')

export const nginxIsAbsent = 'absent' in nginx

/** An nginx of one process, which can be killed, and started again with other lines for its server. */
export const useNginx = (port: number, http = 'access_log off;') => {
  const { folder } = useFolder()
  mkdirSync(join(folder, 'logs'))
  const config = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const program = 'address' in nginx ? nginx.address : ''
  return {
    start: (lines: string): Started => {
      writeFileSync(
        config,
        `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http {
  ${http} ${temporary.join(' ')}
  server { listen 127.0.0.1:${port}; ${lines} }
}
`,
      )
      return launch(program, ['-p', folder, '-e', 'stderr', '-c', config])
    },
  }
}
