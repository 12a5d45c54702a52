import type { Config } from './settings.ts'

/**
 * Each setting's words: flag, environment variable, meaning. The one list that help, docs and reading are made from. What is
 * secret, and an address that may hold a name and a password (`login`), is not shown.
 */
export const settings: Readonly<
  Record<
    keyof Config,
    {
      readonly env: string
      readonly number?: boolean
      readonly secret?: boolean
      readonly login?: boolean
      readonly says: string
    }
  >
> = {
  home: { env: 'FONDS_HOME', says: 'folder that holds the log, the topics and the views (default ./.fonds)' },
  homeMode: {
    env: 'FONDS_HOME_MODE',
    says: 'private: what is made in the home is for its user alone; group: for its group as well',
  },
  eventStore: {
    env: 'FONDS_EVENT_STORE',
    login: true,
    says: 'sqlite:<file> (default sqlite:<home>/fonds.db), or esdb://<host>:<port> (also kurrentdb://)',
  },
  broker: { env: 'FONDS_BROKER', login: true, says: 'embedded, or kafka://<host>:<port>,<host>:<port>' },
  topicPrefix: { env: 'FONDS_TOPIC_PREFIX', says: 'put before the names of topics and groups on Kafka' },
  replication: {
    env: 'FONDS_REPLICATION',
    number: true,
    says: "copies of a Kafka topic when it is made; -1: the cluster's own default",
  },
  kafkaClientId: { env: 'FONDS_KAFKA_CLIENT_ID', says: 'how this program names itself to Kafka' },
  kafkaTls: { env: 'FONDS_KAFKA_TLS', says: 'on: talk to Kafka over TLS' },
  kafkaCaFile: { env: 'FONDS_KAFKA_CA_FILE', says: 'PEM file of the authority that Kafka is trusted by' },
  kafkaCertFile: { env: 'FONDS_KAFKA_CERT_FILE', says: 'PEM file of the certificate to show to Kafka' },
  kafkaKeyFile: { env: 'FONDS_KAFKA_KEY_FILE', says: "PEM file of that certificate's key" },
  kafkaSasl: { env: 'FONDS_KAFKA_SASL', says: 'plain, scram-sha-256 or scram-sha-512' },
  kafkaUsername: { env: 'FONDS_KAFKA_USERNAME', says: 'name to log in to Kafka with' },
  kafkaPassword: { env: 'FONDS_KAFKA_PASSWORD', secret: true, says: 'and the password' },
  kafkaCompression: {
    env: 'FONDS_KAFKA_COMPRESSION',
    says: 'none, gzip, snappy, lz4 or zstd: of what is sent',
  },
  kafkaLingerMillis: {
    env: 'FONDS_KAFKA_LINGER_MILLIS',
    number: true,
    says: 'how long a message waits for others to be sent with',
  },
  durability: { env: 'FONDS_DURABILITY', says: 'full survives a power cut, normal a crash of the process' },
  partitions: { env: 'FONDS_PARTITIONS', number: true, says: 'partitions of a topic when it is made' },
  retentionDays: {
    env: 'FONDS_RETENTION_DAYS',
    number: true,
    says: 'days that handled messages stay on their topic (default: for ever); events always stay',
  },
  pastDays: {
    env: 'FONDS_PAST_DAYS',
    number: true,
    says: 'days of their past that views keep (default: all of it; 0: none, which spares its cost); questions as of an older moment fold the log, or go on from a copy (pastCopies), which takes longer',
  },
  pastCopies: {
    env: 'FONDS_PAST_COPIES',
    number: true,
    says: 'monthly copies of the views to keep in <home>/views-copies, where pastDays limits their past; older moments are folded on from the nearest (0: none)',
  },
  host: { env: 'FONDS_HOST', says: 'address to listen on; any but this machine needs a token' },
  port: { env: 'FONDS_PORT', number: true, says: 'port to listen on; 0 picks a free one' },
  token: {
    env: 'FONDS_TOKEN',
    secret: true,
    says: 'bearer token that every request must carry, from this machine too; needed to be reached from elsewhere, or through a proxy',
  },
  readToken: {
    env: 'FONDS_READ_TOKEN',
    secret: true,
    says: 'bearer token that may only read, beside the one that may do all',
  },
  gateway: {
    env: 'FONDS_GATEWAY',
    number: true,
    says: "port to speak EventStoreDB's protocol on (default: none)",
  },
  tlsCertFile: { env: 'FONDS_TLS_CERT_FILE', says: 'PEM file of the certificate that the gateway shows' },
  tlsKeyFile: { env: 'FONDS_TLS_KEY_FILE', says: "PEM file of that certificate's key" },
  logLevel: { env: 'FONDS_LOG_LEVEL', says: 'fatal, error, warn, info, debug, trace or silent' },
  hands: {
    env: 'FONDS_HANDS',
    number: true,
    says: 'checks, or work items, under way at once in a worker',
  },
  threads: { env: 'FONDS_THREADS', number: true, says: 'threads that digest content, or listen to it' },
  bytesPerSecond: {
    env: 'FONDS_BYTES_PER_SECOND',
    number: true,
    says: 'most bytes a worker reads in a second',
  },
  itemsPerSecond: {
    env: 'FONDS_ITEMS_PER_SECOND',
    number: true,
    says: 'most items a worker checks in a second',
  },
  idleMinSeconds: {
    env: 'FONDS_IDLE_MIN_SECONDS',
    number: true,
    says: 'first wait before an empty queue is looked at again',
  },
  idleMaxSeconds: { env: 'FONDS_IDLE_MAX_SECONDS', number: true, says: 'longest such wait' },
  claimSeconds: { env: 'FONDS_CLAIM_SECONDS', number: true, says: 'how long a claim holds without a word' },
  maxDeaths: {
    env: 'FONDS_MAX_DEATHS',
    number: true,
    says: 'a message, a question, or work of ingest, that so many processes in a row died of is set aside for a person',
  },
  stallSeconds: { env: 'FONDS_STALL_SECONDS', number: true, says: 'how long a reading may give no byte' },
  mediaFolders: {
    env: 'FONDS_MEDIA_FOLDERS',
    says: 'researchers open file addresses beneath these folders alone, with commas between (default: any)',
  },
  mediaHosts: {
    env: 'FONDS_MEDIA_HOSTS',
    says: 'researchers fetch media from these hosts alone, with commas between; .radio.example: it and all beneath it (default: any)',
  },
  mediaCacheBytes: {
    env: 'FONDS_MEDIA_CACHE_BYTES',
    number: true,
    says: 'how much fetched and decoded media researchers keep in <home>/media',
  },
  mediaDecodedBytes: {
    env: 'FONDS_MEDIA_DECODED_BYTES',
    number: true,
    says: 'most that media may take there with those in use; a recording that would take more is refused',
  },
  researchDriftPercent: {
    env: 'FONDS_RESEARCH_DRIFT_PERCENT',
    number: true,
    says: 'researchers look for clips that play up to so much faster or slower than the episode, 1 at most; each clip then costs up to 163 searches (0: none)',
  },
  ingestWork: {
    env: 'FONDS_INGEST_WORK',
    says: 'folder where jobs have their files until they are stored (default <home>/ingest-work)',
  },
  ingestStorage: {
    env: 'FONDS_INGEST_STORAGE',
    says: 'OCFL storage root that objects are stored in (default <home>/storage)',
  },
  ingestFolders: {
    env: 'FONDS_INGEST_FOLDERS',
    says: 'ingest reads file addresses beneath these folders alone, with commas between (default: any; of what came over HTTP none)',
  },
  ingestHosts: {
    env: 'FONDS_INGEST_HOSTS',
    says: 'ingest fetches from these hosts, and calls them back, alone, and indexing reads archive files of servers from them alone; with commas between, .archive.example: it and all beneath it, *: any public one (default: any; for what came over HTTP any public one)',
  },
  ingestInventory: {
    env: 'FONDS_INGEST_INVENTORY',
    says: 'own: a version is recorded once our own views answer with it; other: once another system says so on fonds.ingest.recorded',
  },
  ingestCharacterise: {
    env: 'FONDS_INGEST_CHARACTERISE',
    says: 'what says of which format a file is: a command, run with its path last or for {path}, or a service that bytes are PUT to, or asked with {path} in its address (default: none)',
  },
  ingestCharacteriseSeconds: {
    env: 'FONDS_INGEST_CHARACTERISE_SECONDS',
    number: true,
    says: 'how long that may take over one file',
  },
  ingestShoulder: {
    env: 'FONDS_INGEST_SHOULDER',
    says: 'what identifiers that are minted begin with (default ark:/99999/fk4, which is for tests)',
  },
  ingestThresholdPercent: {
    env: 'FONDS_INGEST_THRESHOLD_PERCENT',
    number: true,
    says: 'how much of a disk may be used for what others send; jobs that would take more of the volume of ingestWork wait',
  },
  ingestUnknownBytes: {
    env: 'FONDS_INGEST_UNKNOWN_BYTES',
    number: true,
    says: 'what a job of unknown size is taken to need',
  },
  ingestUploadBytes: {
    env: 'FONDS_INGEST_UPLOAD_BYTES',
    number: true,
    says: 'most that the files of one submission over HTTP may take together',
  },
  ingestFailFolder: {
    env: 'FONDS_INGEST_FAIL_FOLDER',
    says: 'for test stacks: a file in this folder that is called as a step makes that step fail (default: none)',
  },
  ingestFolderDays: {
    env: 'FONDS_INGEST_FOLDER_DAYS',
    number: true,
    says: 'days that the work folders of completed jobs stay',
  },
  ingestLookObjects: {
    env: 'FONDS_INGEST_LOOK_OBJECTS',
    number: true,
    says: 'objects of storage that each ingest worker holds against the log in a minute; 0: none',
  },
  indexingSources: {
    env: 'FONDS_INDEXING_SOURCES',
    says: 'where archive files are looked for: <repository>=<folder or list>, a list as a file or an address, with commas between (default: nowhere)',
  },
  indexingPollSeconds: {
    env: 'FONDS_INDEXING_POLL_SECONDS',
    number: true,
    says: 'how often they are looked for',
  },
  indexingGraceSeconds: {
    env: 'FONDS_INDEXING_GRACE_SECONDS',
    number: true,
    says: 'how long a file must have stood still before it is indexed',
  },
  indexingRetrySeconds: {
    env: 'FONDS_INDEXING_RETRY_SECONDS',
    number: true,
    says: 'how long after a failure a file is tried again',
  },
  indexingAttempts: {
    env: 'FONDS_INDEXING_ATTEMPTS',
    number: true,
    says: 'a file that failed so often is parked, and waits for a person',
  },
  indexingOrder: {
    env: 'FONDS_INDEXING_ORDER',
    says: 'newest-first or oldest-first: which of the files that failed as often is indexed first, by the dates of their last change',
  },
  indexingFolder: {
    env: 'FONDS_INDEXING_FOLDER',
    says: 'folder of the index, with its runs and what is to be taken over into it (default <home>/index)',
  },
  indexingFormat: {
    env: 'FONDS_INDEXING_FORMAT',
    says: 'how lines are written: cdx-11, cdx-9, cdx-14 or cdxj',
  },
  indexingAggregateSeconds: {
    env: 'FONDS_INDEXING_AGGREGATE_SECONDS',
    number: true,
    says: 'how often runs of the index of captures are merged',
  },
  indexingFiles: {
    env: 'FONDS_INDEXING_FILES',
    says: 'plain index files for replay, which the aggregator writes: absolute paths with commas between (default: none)',
  },
  indexingReplay: {
    env: 'FONDS_INDEXING_REPLAY',
    says: "where replay shows captures: an address that ends in a slash, behind which a capture's time and its URL follow (default: none)",
  },
  indexingSort: {
    env: 'FONDS_INDEXING_SORT',
    says: 'own or gnu: what merges runs into plain index files, our own code or the `sort` of the machine',
  },
  indexingScanLines: {
    env: 'FONDS_INDEXING_SCAN_LINES',
    number: true,
    says: 'lines of the index that one question about captures may look at; an answer that was cut says so',
  },
  mailServer: {
    env: 'FONDS_MAIL_SERVER',
    login: true,
    says: 'smtp://<host>:<port> or smtps://<host>:<port>: depositors get their reports by mail (default: none)',
  },
  mailFrom: { env: 'FONDS_MAIL_FROM', says: 'address that mails come from' },
  mailUsername: { env: 'FONDS_MAIL_USERNAME', says: 'name to log in to the mail server with' },
  mailPassword: { env: 'FONDS_MAIL_PASSWORD', secret: true, says: 'and the password' },
  noticesMail: {
    env: 'FONDS_NOTICES_MAIL',
    says: 'who is mailed what waits for a person: addresses with commas between (default: nobody); needs mailServer',
  },
  noticesWebhook: {
    env: 'FONDS_NOTICES_WEBHOOK',
    secret: true,
    says: 'address that the same is posted to as JSON (default: none)',
  },
  noticesQuiet: {
    env: 'FONDS_NOTICES_QUIET',
    says: 'hours in which nobody is told, by the clock of the machine: 22:00-07:00 (default: none)',
  },
  noticesAfterSeconds: {
    env: 'FONDS_NOTICES_AFTER_SECONDS',
    number: true,
    says: 'how long something must wait for a person, or be over, before that is told',
  },
  ezidServer: {
    env: 'FONDS_EZID_SERVER',
    login: true,
    says: 'https://ezid.cdlib.org: identifiers are registered there (default: the log alone knows them)',
  },
  ezidUsername: { env: 'FONDS_EZID_USERNAME', says: 'name to log in to EZID with' },
  ezidPassword: { env: 'FONDS_EZID_PASSWORD', secret: true, says: 'and the password' },
  dutySeconds: {
    env: 'FONDS_DUTY_SECONDS',
    number: true,
    says: 'how long the one process that reacts or relays may be silent before another takes over',
  },
}
