import type { Answer } from '../../api/client.ts'

export type Finding = Answer<'/api/v1/fixity/findings'>['findings'][number]
