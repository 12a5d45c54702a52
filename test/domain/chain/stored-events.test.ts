import { archiveEvents } from '#src/domain/chain/archive/events.ts'
import { dossierEvents } from '#src/domain/chain/events.ts'
import { testStored } from '../stored-events.ts'
import archive from './stored-archive-events.json' with { type: 'json' }
import dossier from './stored-events.json' with { type: 'json' }

testStored('a dossier', dossierEvents, dossier)
testStored('the archive', archiveEvents, archive)
