// Intl.DateTimeFormat for en-US, and what JavaScript formats with it. Other
// locales, options and parts of Intl are refused: a wrong text is worse than
// none (docs/handlers.md).
(function (native) {
	'use strict'
	const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
	const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
	const dateKeys = ['weekday', 'year', 'month', 'day']
	const timeKeys = ['hour', 'minute', 'second', 'fractionalSecondDigits']
	const otherKeys = ['hour12', 'hourCycle', 'timeZone', 'timeZoneName', 'dateStyle', 'timeStyle']
	const styles = {
		full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
		long: { year: 'numeric', month: 'long', day: 'numeric' },
		medium: { year: 'numeric', month: 'short', day: 'numeric' },
		short: { year: '2-digit', month: 'numeric', day: 'numeric' },
	}
	const clocks = {
		long: { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
		medium: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
		short: { hour: 'numeric', minute: '2-digit' },
	}
	const american = /^(?:UTC|GMT|[ECMP][SD]T|AK[SD]T|HST)$/
	const two = (n) => String(n).padStart(2, '0')
	const named = (list, i, how) => (how === 'long' ? list[i] : list[i].slice(0, how === 'narrow' ? 1 : 3))

	const checkLocale = (who, locales) => {
		const locale = String((Array.isArray(locales) ? locales[0] : locales) ?? 'en-US')
		if (!['en-US', 'en'].includes(locale)) throw new RangeError(`${who}: locale ${locale} is not available, en-US is`)
	}
	const refuse = (who, options, known) => {
		for (const key of Object.keys(options)) {
			if (options[key] !== undefined && !known.includes(key)) throw new RangeError(`${who}: option ${key} is not available; there are ${known.join(', ')}`)
		}
	}

	class DateTimeFormat {
		#o
		constructor(locales, options = {}) {
			checkLocale('Intl.DateTimeFormat', locales)
			refuse('Intl.DateTimeFormat', options, [...dateKeys, ...timeKeys, ...otherKeys])
			const o = { ...options, ...DateTimeFormat.#style(styles, 'dateStyle', options), ...DateTimeFormat.#style(clocks, 'timeStyle', options) }
			if (![...dateKeys, ...timeKeys].some((key) => o[key])) Object.assign(o, { year: 'numeric', month: 'numeric', day: 'numeric' })
			if (o.timeZoneName && o.timeZoneName !== 'short') throw new RangeError('Intl.DateTimeFormat: timeZoneName is short or not available')
			o.timeZone = String(o.timeZone ?? 'UTC')
			if (native.dateParts(0, o.timeZone) === null) throw new RangeError('Invalid time zone specified: ' + o.timeZone)
			this.#o = o
		}
		static #style(styles, key, options) {
			const style = options[key]
			if (style === undefined) return {}
			if ([...dateKeys, ...timeKeys].some((k) => options[k])) throw new TypeError(`Can't set option ${key} with one of its parts`)
			if (!styles[style]) throw new RangeError(`Intl.DateTimeFormat: ${key} ${style} is not available; there are ${Object.keys(styles).join(', ')}`)
			return styles[style]
		}
		resolvedOptions() {
			const { dateStyle, timeStyle, ...o } = this.#o
			return { locale: 'en-US', calendar: 'gregory', numberingSystem: 'latn', ...o }
		}
		format(date) { return this.formatToParts(date).map((p) => p.value).join('') }
		formatToParts(date) {
			const at = date === undefined ? Date.now() : Number(date)
			if (Number.isNaN(at)) throw new RangeError('Invalid time value')
			const fields = native.dateParts(at, this.#o.timeZone)
			const day = this.#date(fields)
			const clock = this.#clock(fields)
			const parts = [...day]
			const literal = (value) => parts.push({ type: 'literal', value })
			if (day.length && clock.length) literal(day.length === 1 && day[0].type === 'weekday' ? ' ' : this.#o.month === 'long' ? ' at ' : ', ')
			parts.push(...clock)
			if (this.#o.timeZoneName) {
				literal(clock.length ? ' ' : ', ')
				parts.push({ type: 'timeZoneName', value: DateTimeFormat.#zone(fields) })
			}
			return parts
		}
		static #zone([, , , , , , , , name, offset]) {
			if (american.test(name)) return name
			const minutes = Math.abs(offset)
			return 'GMT' + (offset === 0 ? '' : (offset < 0 ? '-' : '+') + Math.floor(minutes / 60) + (minutes % 60 ? ':' + two(minutes % 60) : ''))
		}
		#date([year, month, day, , , , weekday]) {
			const o = this.#o
			const part = (type, value) => (o[type] ? [{ type, value }] : [])
			const w = part('weekday', named(days, weekday, o.weekday))
			const y = part('year', o.year === '2-digit' ? two(year % 100) : String(year))
			const d = part('day', o.day === '2-digit' ? two(day) : String(day))
			const words = ['long', 'short', 'narrow'].includes(o.month)
			const m = part('month', words ? named(months, month - 1, o.month) : o.month === '2-digit' ? two(month) : String(month))
			const join = (separator, ...lists) => lists.filter((l) => l.length).reduce((all, l) => (all.length ? [...all, { type: 'literal', value: separator }, ...l] : l), [])
			if (!o.month && o.year && o.day) return [...y, { type: 'literal', value: ' (day: ' }, ...d, { type: 'literal', value: ')' }]
			if (!o.day) return join(' ', join(words ? ' ' : '/', m, y), w)
			if (!o.month) return join(' ', d, w)
			return join(', ', w, words ? join(', ', join(' ', m, d), y) : join('/', m, d, y))
		}
		#clock([, , , hour, minute, second, , millisecond]) {
			const o = this.#o
			const parts = []
			const add = (separator, type, value) => parts.push(...(parts.length ? [{ type: 'literal', value: separator }] : []), { type, value })
			const cycle = o.hour12 === undefined ? o.hourCycle ?? 'h12' : o.hour12 ? 'h12' : 'h24'
			if (o.hour) {
				const h = { h11: hour % 12, h12: hour % 12 || 12, h23: hour, h24: hour || 24 }[cycle]
				add('', 'hour', o.hour === '2-digit' || cycle === 'h23' || cycle === 'h24' ? two(h) : String(h))
			}
			if (o.minute) add(':', 'minute', o.hour || o.second ? two(minute) : String(minute))
			if (o.second) add(':', 'second', o.minute || o.hour ? two(second) : String(second))
			if (o.fractionalSecondDigits) add(o.second ? '.' : '', 'fractionalSecond', String(millisecond).padStart(3, '0').slice(0, o.fractionalSecondDigits))
			if (o.hour && (cycle === 'h12' || cycle === 'h11')) add(' ', 'dayPeriod', hour < 12 ? 'AM' : 'PM')
			return parts
		}
	}

	const define = (proto, name, value) => Object.defineProperty(proto, name, { value, writable: true, configurable: true })
	const numeric = { year: 'numeric', month: 'numeric', day: 'numeric' }
	const clock = { hour: 'numeric', minute: '2-digit', second: '2-digit' }
	const toLocale = (name, keys, defaults) => define(Date.prototype, name, function (locales, options = {}) {
		const given = [...keys, 'dateStyle', 'timeStyle'].some((key) => options[key])
		return Number.isNaN(this.getTime()) ? 'Invalid Date' : new DateTimeFormat(locales, given ? options : { ...options, ...defaults }).format(this)
	})
	toLocale('toLocaleDateString', dateKeys, numeric)
	toLocale('toLocaleTimeString', timeKeys, clock)
	toLocale('toLocaleString', [...dateKeys, ...timeKeys], { ...numeric, ...clock })

	// rounded is the decimal text of a number above 0 with at most so many
	// digits behind the point, halves rounded away from 0.
	const rounded = (n, digits) => {
		const [, whole, fraction = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(n))
		const shift = Number(exponent)
		const all = whole + fraction
		const point = whole.length + shift
		const text = point <= 0 ? '0'.repeat(1 - point) + all : all.padEnd(point, '0')
		const at = Math.max(point, 1)
		const kept = text.slice(0, at + digits).padEnd(at + digits, '0')
		const scaled = BigInt(kept) + (text[at + digits] >= '5' ? 1n : 0n)
		const out = String(scaled).padStart(digits + 1, '0')
		return [out.slice(0, out.length - digits), digits ? out.slice(-digits) : '']
	}
	const numberKeys = ['minimumFractionDigits', 'maximumFractionDigits', 'useGrouping']
	const numberText = (n, locales, options = {}) => {
		checkLocale('toLocaleString', locales)
		refuse('toLocaleString', options, numberKeys)
		if (typeof n === 'number' && !Number.isFinite(n)) return Number.isNaN(n) ? 'NaN' : n < 0 ? '-∞' : '∞'
		const least = options.minimumFractionDigits ?? 0
		const most = Math.max(options.maximumFractionDigits ?? Math.max(least, 3), least)
		const negative = n < 0 || Object.is(n, -0)
		const [whole, digits] = rounded(negative ? -n : n, most)
		const fraction = digits.slice(0, least) + digits.slice(least).replace(/0+$/, '')
		const grouped = options.useGrouping === false ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',')
		return (negative ? '-' : '') + grouped + (fraction && '.' + fraction)
	}
	define(Number.prototype, 'toLocaleString', function (locales, options) { return numberText(Number(this), locales, options) })
	define(BigInt.prototype, 'toLocaleString', function (locales, options) { return numberText(BigInt(this), locales, options) })

	// The engine's own ignores locale and options without a word.
	const compare = String.prototype.localeCompare
	define(String.prototype, 'localeCompare', function (that, locales, options) {
		checkLocale('localeCompare', locales)
		if (options && Object.keys(options).length) throw new RangeError('localeCompare: options are not available: compare numbers as numbers, and toLowerCase() of both')
		return compare.call(this, that)
	})

	const callable = function (locales, options) { return new DateTimeFormat(locales, options) }
	callable.prototype = DateTimeFormat.prototype
	return { DateTimeFormat: callable }
})
