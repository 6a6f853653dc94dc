package server

// The names of all keys, as scripts build them: the prefix, then what is named here. <id> is a
// record's id, <kind> is fetch for jobs whose audio is to be fetched and work for the others,
// <state> that of a delivery. Accounts come last; those that have secrets have no colon in their
// names. Times are milliseconds since 1970; they are the scores of what is listed by a time.
//
//	clock                          the time of the last Ping               for ever
//	written                        the time of a call that had to write    for ever
//	                               something
//
//	record:<id>                    hash: the record. Its field folder      until it is deleted
//	                               begins the names of all blobs of the
//	                               record and its session, and ends in a
//	                               slash; another record of that id has
//	                               another one. They are removed with the
//	                               record.
//	record:token:<hash>            id of the record whose session's token  until it is deleted
//	                               has that hash
//	list:<kind>:<status>:<account> records of that kind and status, by     while there are any
//	                               <created>:<id>
//	metadata:<value>               records with a value of custom          while there are any
//	                               metadata, likewise
//	finished                       records by their end                    until they are deleted
//	transient                      finished records by their end, of       until that is erased
//	                               which something is not to be kept
//	archive                        records by when what is large is to     until it has left
//	                               leave the server
//	removals                       folders of blobs to be emptied by when  until they are empty
//	                               that was wanted
//	removals:late                  folders by when they are to be emptied  until they are empty
//	                               once more
//	erase                          the time of the last deletion           until an AOF rewrite is
//	                                                                       begun for it
//	erased                         the time at which the last rewrite was  for ever
//	                               begun
//
//	erasures                       marks of what was erased, by when      400 days
//	erasures:key                   the key of the marks                   for ever
//
//	due                            live, unfinished records by when Adopt  until they are finished
//	                               lists them
//	session:<id>                   hash: claim (nonce, generation, node,   until the record is
//	                               until, seized), size and start of the   deleted
//	                               tail, end of the segments, number of
//	                               the last event, what was confirmed,
//	                               the archive of the events and the last
//	                               number in it, and the number of the
//	                               server that is known to have all that
//	                               was reported durable to the holder
//	session:<id>:tail              the end of the journal, in pieces       until a segment or
//	                                                                       archive has it
//	session:<id>:segments          the manifest: start, end and object of  until the record is
//	                               each segment                            deleted
//	session:<id>:events            stream: the event log, by number        until a page or the
//	                                                                       archive has it
//	session:<id>:pages             number before the first, last number    until archived
//	                               and object of each page of events in
//	                               blob storage
//	session:<id>:checkpoints       hash: lane to checkpoint                until archived
//	session:<id>:sent              boundaries that may have been           until confirmed or
//	                               acknowledged                            archived
//	session:<id>:tokens            hashes of the tokens for the session    until it is deleted
//	                               by name, by end
//	session:<id>:silences          places of silence                       until archived
//	session:<id>:notes             what its client asked for, by number    until archived
//	server                         hash: run id, since when it is known,   for ever
//	                               epoch; number of servers that began in
//	                               another's place, and of each of the
//	                               last 100 times: the former one's last
//	                               sign of life, how long before that
//	                               what it confirmed may be unknown, and
//	                               when
//
//	account:<account>              stream: session and number of events    the last 10000
//	                               of the account
//	accounts                       hash: account to the number of its      for ever
//	                               last event
//	accounts:trimmed               hash: account to the last number that   for ever
//	                               is not kept
//
//	upload:<upload>                hash: the upload                        until it is deleted
//	upload:<upload>:records        ids of the records that refer to it     while there are any
//	unused                         uploads that no record refers to, by    while there are any
//	                               their creation
//	held                           hash: API key's hash to the bytes of    while there are any
//	                               its uploads and finished recordings
//	held:accounts                  hash: account to those bytes            while there are any
//
//	audit                          stream: the audit log, by microseconds  as long as the
//	                                                                       configuration has it
//
//	quotas                         hash: account to its quota, as JSON     until it is removed
//	rate:<what>:<account>          when all units of a rate are back,      until they are
//	                               in microseconds since 1970
//	usage                          days and accounts with a colon          800 days
//	                               between, by day, counted from 1970
//	usage:<day>:<account>          hash: model and item to what the        800 days
//	                               account has used on that day
//
//	arriving                       folders of uploads by when they were    until committed or
//	                               begun                                   discarded
//
//	kept, kept:saved               number of changes of API keys, secrets  for ever
//	                               and quotas, and that at which they were
//	                               written to blob storage
//	kept:history                   the name of the object in blob storage  for ever
//	                               that has them
//	keys                           API keys' hashes by their creation      until they are removed
//	key:<hash>                     hash: an API key                        until it is removed
//	key:<hash>:tokens              hashes of the tokens made with it by    while there are any
//	                               their end
//	token:<hash>                   hash: a token                           some time after its end
//	token:id:<token>               hash of the token of that id            likewise
//	tokens                         hashes of all tokens by their end       while there are any
//	tokens:<account>               those of an account by their creation   while there are any
//	ticket:<hash>                  hash: a ticket                          until used, or after
//	                                                                       its end
//	tickets                        hashes of all tickets by their end      while there are any
//	tickets:<hash>                 those of a credential by their end      while there are any
//	datakeys                       hash: number and account of a data      for ever
//	                               key to its wrapping
//	secrets                        accounts that have secrets of           while they have any
//	                               callbacks
//	secrets:<account>              their secrets, newest first             until they are removed
//	secrets:times:<account>        hash: secret to the time of its         likewise
//	                               creation
//
//	job:<id>                       hash: the job's account, kind,          until the record is
//	                               attempts and lease                      finished
//	queue:<kind>:free:<account>    jobs that may be taken, by the          while there are any
//	                               record's age
//	queue:<kind>:leases            jobs under a lease, by its end          while there are any
//	queue:<kind>:running           hash: account to number of its jobs     while there are any
//	                               under a lease
//	queue:<kind>:turns             accounts with free jobs, by whose turn  while there are any
//	                               it is
//	queue:<kind>:served            accounts by when they were served last  the last 16384
//	queue:<kind>:places            hash: how many accounts arrived, and    for ever
//	                               were served
//
//	seen                           when a worker asked for jobs last       for ever
//	grace                          until when no lease of a job ends       for ever
//	                               after an outage
//
//	outbox:<id>                    hash: the last event's number, the      until the record is
//	                               claim                                   deleted
//	outbox:<id>:events             events that stand for no logged one     until the record is
//	                               and are known                           deleted
//	outbox:<id>:pending            pending deliveries of the record, by    while there are any
//	                               their age
//	outbox:<id>:all                all deliveries of the record, by their  while there are any
//	                               age
//	outbox:due                     records by when their outbox may be     while there are any
//	                               claimed
//	delivery:<delivery>            a delivery but for its body, as         until pruned, or with
//	                               MessagePack                             its record
//	delivery:<delivery>:body       its body                                until it is sent
//	deliveries                     number of deliveries enqueued so far    for ever
//	deliveries:<state>             deliveries in a state, by their age     while there are any
//	deliveries:<state>:<account>   those of an account                     while there are any
//	deliveries:arrived             deliveries by when they were sent       until pruned, the last
//	                                                                       100,000
//
//	nodes                          names of nodes by when their reports    until then
//	                               end
//	clocks                         hash: how far the clock of a node is    likewise
//	                               ahead, in ms
//	node:<name>                    what the node counts, as MessagePack    likewise
//
// Channels, see wakes:
//
//	wake:queue                     a job may have become one that can be taken
//	wake:outbox                    a delivery may have become due
//	wake:claims:<node>             the claim of that node on the session named may have ended
//	wake:session:<id>              an event was logged, or the record deleted
//	wake:unlogged:<id>             an event of the session that is not logged, see feed
//	wake:account:<account>         an event was added to the account's log
