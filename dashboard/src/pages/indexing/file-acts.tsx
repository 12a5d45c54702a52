import { Command } from '../../parts/command.tsx'

interface OfFile {
  readonly file: { readonly repository: string; readonly name: string; readonly state: string }
}

const inputOf = ({ file: { repository, name } }: OfFile) => ({ repository, name })

export const RescueFile = (of: OfFile) => (
  <Command
    name="indexing.rescue"
    input={inputOf(of)}
    verb="Rescue"
    says="Puts the file back into the queue, its count of failures at zero."
    cannot={
      of.file.state === 'parked' ? undefined : `It is ${of.file.state}: only what is parked is rescued.`
    }
  />
)

export const SalvageFile = (of: OfFile) => (
  <Command
    name="indexing.salvage"
    input={inputOf(of)}
    verb="Salvage"
    says="Has a damaged file read as far as it is good: each record that is whole gets its line, and what is lost is told byte for byte."
    cannot={
      of.file.state === 'failed' || of.file.state === 'parked'
        ? undefined
        : `It is ${of.file.state}: only what failed, or is parked, is salvaged.`
    }
  />
)

export const ResetFile = (of: OfFile) => (
  <Command
    name="indexing.reset"
    input={inputOf(of)}
    verb="Index anew"
    says="Has the file indexed anew, whatever came of it before: its new lines replace the old ones."
    cannot={
      of.file.state === 'unknown'
        ? 'Its name does not say what it is: give the command indexing.reset with a kind.'
        : undefined
    }
  />
)

export const ParkFile = (of: OfFile) => (
  <Command
    name="indexing.park"
    input={inputOf(of)}
    verb="Park"
    says="Takes the file from the queue until a person rescues it."
    cannot={of.file.state === 'parked' ? 'It is parked already.' : withdrawn(of)}
  />
)

export const WithdrawFile = (of: OfFile) => (
  <Command
    name="indexing.withdraw"
    input={inputOf(of)}
    verb="Withdraw"
    says="Takes the file, and all its lines, from the index, and keeps it out."
    cannot={withdrawn(of)}
  />
)

const withdrawn = ({ file }: OfFile): string | undefined =>
  file.state === 'withdrawn' ? 'It is withdrawn already.' : undefined
