package commands

import (
	"github.com/flowmcp/fmcp/pkg/record"
	"github.com/flowmcp/fmcp/pkg/rules/engine"
)

// feedRules are the codes for GTFS feeds and the databases made of them
// (chapter 13, "SQLite-GTFS Resources"). fmcp-exec resource import-gtfs reports
// them, and the calls of the standard tools GTF050 and on.
var feedRules = []engine.Rule{
	gtf("GTF001", "feed-not-zip", "A feed is a zip archive that can be read.", "There is nothing to convert.", "Name the .zip file, and download it again where it was cut short."),
	gtf("GTF002", "feed-member", "The files of a feed are at the top of the archive, each once, neither encrypted nor links.", "It is not certain which file is meant, or it cannot be read.", "Zip the .txt files again, without their folder and without a password."),
	gtf("GTF003", "feed-too-large", "A feed stays under --max-unpacked, and a row under 1 MiB.", "Disk and memory are bounded, also where an archive was made to fill them.", "Raise --max-unpacked if you trust the feed; close the quote that the message names."),
	gtf("GTF004", "feed-damaged", "Every file of a feed can be unpacked, and has the checksum that the archive says.", "Half a timetable looks like a whole one.", "Download the feed again."),
	gtf("GTF010", "feed-file-missing", "A feed has agency, stops, routes, trips and stop_times, and calendar or calendar_dates, each with rows.", "Without one of them no departure can be known.", "Ask the publisher for the whole feed."),
	gtf("GTF011", "feed-column-missing", "A file has the columns that the GTFS Schedule Reference requires, each once.", "The rows mean nothing without them.", "Add the column; names are case-sensitive."),
	gtf("GTF012", "feed-row", "A row is comma-separated text and has as many values as the header.", "The values would be those of other columns.", "Put values with commas or quotes into quotes, and double the quotes in them."),
	gtf("GTF013", "feed-encoding", "Files are UTF-8.", "Names of stops would be unreadable.", "Write the file as UTF-8."),
	gtf("GTF020", "feed-value-missing", "Values that the reference requires are there.", "A stop without coordinates or a trip without a route cannot be used.", "Write the value."),
	gtf("GTF021", "feed-value", "Times are HH:MM:SS, dates YYYYMMDD, and numbers within their range.", "The row would be left out of answers silently.", "Write the value as the message says."),
	gtf("GTF022", "feed-key-twice", "A key stands in one row.", "It is not certain which row is meant.", "Give each row a key of its own."),
	gtf("GTF023", "feed-reference", "An ID that a row names is defined by the file that has such IDs.", "Stop times without a trip or a stop lead nowhere.", "Correct the ID, or add the row that it names."),
	gtf("GTF024", "feed-trip-times", "A trip has a time at its first and last stop and does not go back in time; headways end after they start.", "Departures would be in an order that no vehicle can keep.", "Correct the times; write 25:10:00 for ten past one of the next day."),
	gtf("GTF025", "feed-calendar", "Service ends after it starts.", "It would never run.", "Correct start_date and end_date."),
	gtf("GTF026", "feed-stop-place", "Vehicles stop at stops and platforms; platforms and entrances have a station as parent, boarding areas a platform.", "Departures of a station are those of its platforms.", "Correct location_type, parent_station or stop_id."),
	gtfAs(record.SeverityWarning, "GTF030", "feed-unused", "A trip has at least two stops.", "Nobody can ride it, so it is in no answer.", "Add its stop times, or leave the trip out."),
	gtfAs(record.SeverityInfo, "GTF031", "feed-left-out", "Files and columns are those of the GTFS Schedule Reference.", "Others are left out of the database.", "Nothing, unless the name is misspelt."),
	gtfAs(record.SeverityInfo, "GTF032", "feed-completed", "Every stop time has a time.", "Times that lack were spread evenly between those around them.", "Nothing, unless the publisher knows better."),
	gtf("GTF040", "feed-output-exists", "The database that is to be written is not there, nor a -wal file or journal of another one of its name.", "A database that is in use is not replaced by mistake.", "Remove it, name another, or add --force."),
	gtf("GTF041", "feed-not-written", "The database can be written.", "Nothing is left behind of one that cannot.", "Look at the space and the permissions of its folder, and of TMPDIR."),
	gtf("GTF050", "gtfs-unknown-id", "The stop or route of a call is in the database.", "There is nothing to answer with.", "Find its ID by searchStops or searchRoutes."),
	gtf("GTF051", "gtfs-bad-date", "Dates and times of a call are such.", "It is not certain what is asked for.", "Write 2026-05-11 and 08:30."),
	gtf("GTF052", "gtfs-capability", "The database has the capability that a standard tool needs (meta.capabilities).", "The feed does not say what is asked.", "Ask what the capabilities allow, or convert a feed that has more."),
}

func gtf(code, name, summary, why, fix string) engine.Rule {
	return gtfAs(record.SeverityError, code, name, summary, why, fix)
}

func gtfAs(sev record.Severity, code, name, summary, why, fix string) engine.Rule {
	r := lodAs(sev, code, name, summary, why, fix)
	r.Chapter = "13"
	return r
}
