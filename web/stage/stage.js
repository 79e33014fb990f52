// @ts-check
import { Connection, socketURL } from "../connection/connection.js";
import { isFinal } from "../connection/states.js";
import { PageModule } from "../core/module.js";
import { UPRIGHT } from "../core/vector.js";
import { fitsServer, reloadLater, reloadOnce } from "../core/version.js";
import { EFFECT, EFFECT_FLOATS, EVENT, INSTANCE_FLOATS, STREAM, TICK } from "../core/wire.js";
import { Display, everyPicture } from "../draw/display.js";
import { DroppedHalos } from "../draw/dropped.js";
import { FORM_FLOATS, Forms } from "../draw/forms.js";
import { MARK_FLOATS, STYLE } from "../draw/marklist.js";
import { PictureMarks } from "../draw/picturemarks.js";
import { Raised } from "../draw/raised.js";
import { Renderer } from "../draw/renderer.js";
import { hasBounds, leanOf, quake } from "../draw/scenery.js";
import { ShownWorld } from "../draw/shownworld.js";
import { surfaceOf } from "../draw/surface.js";
import { Effects } from "../play/effects.js";
import { sceneInfo } from "../play/scenes.js";
import { text } from "../strings/language.js";
import { CaptainLine } from "../ui/captain.js";
import { loadStyles } from "../ui/dom.js";
import { HostNews } from "../ui/hostnews.js";
import { keepAwake } from "../ui/wakelock.js";
import { Highlights } from "./highlights.js";
import { Invitation } from "./invitation.js";
import { Screen } from "./screen.js";

/** How often what stands beside the pit changes, ms. */
const BESIDE_INTERVAL = 500;
/** How long nobody is here, and how long nothing has moved, before nobody is taken to play, ms: longer than a
 * throw and its roll. */
const [EMPTY_FOR, IDLE_AFTER] = [4000, 45_000];
/** How long until the address is asked for again, ms: a laptop may have changed its network. */
const ADDRESS_INTERVAL = 60_000;
/** The most looks at the world for one picture: with eight pictures a second and more every tick is
 * looked at. */
const MOST_LOOKS = 8;
/** A longer time between two pictures is not made up for, ms: the screen was hidden. */
const LONGEST_PAUSE = 1000;
/** Names that are kept of those who throw; the lists that tell them hold twelve. */
const MOST_NAMES = 256;

/** Opens the stage: a screen for the room, which looks on and is nobody in the pit. */
export async function open() {
  document.documentElement.dataset.view = "stage";
  const styles = ["./screen.css", "../ui/captain.css", "../ui/hostnews.css"];
  await Promise.all(styles.map((path) => loadStyles(new URL(path, import.meta.url))));
  const invitation = new Invitation();
  const screen = new Screen(invitation.element);
  try {
    const module = await PageModule.load(new URL("../pit.wasm", import.meta.url));
    const renderer = new Renderer(screen.canvas, await surfaceOf(screen.canvas));
    new Stage(module, renderer, screen, invitation).start();
  } catch (error) {
    console.error(error);
    screen.say(text("stage.failed"));
    reloadLater();
  }
}

/** The world on the screen, and what is told of it. */
class Stage {
  #module;
  #screen;
  #invitation;
  #renderer;
  #connection;
  #shown;
  #news;
  #captain;
  #display = new Display();
  #highlights = new Highlights();
  #raised = new Raised();
  #marks;
  /** @type {Map<number, string>} */ #names = new Map();
  #scene = sceneInfo(0);
  #ranTo = -Infinity;
  #besideAt = 0;
  #addressAt = 0;
  /** Whether the list of people has come since the welcome. */ #knowsPeople = false;
  /** When somebody came or went, or the world began anew, ms. */ #newsAt = 0;
  /** @type {import("../draw/renderer.js").Picture} */
  #picture;
  /** @type {import("../core/vector.js").Vector} */ #gravity = UPRIGHT;
  #halos = new DroppedHalos();
  #effects;
  #forms;
  /** What each picture needs is kept from one to the next. */
  #marked = { isRain: false, chosen: -1, person: -1 };
  #floor = { width: 0, hops: false };
  #surroundings = { drops: false, fall: 0 };

  /** @param {PageModule} module
   * @param {Renderer} renderer
   * @param {Screen} screen
   * @param {Invitation} invitation */
  constructor(module, renderer, screen, invitation) {
    this.#module = module;
    this.#screen = screen;
    this.#invitation = invitation;
    this.#renderer = renderer;
    this.#marks = new PictureMarks((id) => module.colourOf(id));
    this.#effects = new Effects(module);
    this.#forms = new Forms(renderer.letterbox);
    this.#news = new HostNews(screen.announcement, screen.frozen);
    this.#captain = new CaptainLine(screen.captain);
    const none = new Float32Array(0);
    this.#picture = {
      instances: none, forms: none, below: none, above: none, isOpen: false, shake: 0,
    };
    const room = { enter: (/** @type {number} */ scene) => this.#enter(scene), scene: this.#scene };
    Object.defineProperty(room, "scene", { get: () => this.#scene });
    this.#shown = new ShownWorld(this.#renderer, room, { show() {} });
    this.#connection = new Connection(
      module, socketURL(), this.#listener(), STREAM.replica, false, true);
    Object.defineProperty(window, "stickerPit", { value: this.#probe() });
  }

  start() {
    this.#connection.start();
    keepAwake();
    const pace = () => this.#renderer.pace(this.#display);
    everyPicture(this.#display, (now) => this.#draw(now), pace);
  }

  /** @returns {import("../connection/states.js").ConnectionListener} */
  #listener() {
    const module = this.#module;
    return {
      stateChanged: (state) => {
        this.#screen.showState(state);
        if (state === "refused" && reloadOnce()) return;
        if (isFinal(state)) reloadLater();
      },
      welcomed: (isAnotherWorld) => {
        this.#screen.beginPeople();
        this.#knowsPeople = false;
        this.#newsAt = performance.now();
        this.#highlights.clear();
        this.#invitation.refresh();
        if (isAnotherWorld) {
          const none = new Float32Array(0);
          this.#picture.instances = this.#picture.below = this.#picture.above = none;
        } else this.#leaveIfOutdated();
        this.#captain.show(module);
        this.#shown.enter(module.world);
      },
      peopleChanged: () => {
        this.#knowsPeople = true;
        this.#newsAt = performance.now();
        this.#screen.showPeople(module.people, module.peopleCount);
        if (this.#names.size > MOST_NAMES) this.#names.clear();
        for (const { id, name } of module.people) this.#names.set(id, name);
      },
      noticed: () => {},
      hostDecided: () => {
        this.#news.show(module);
        // When a world is frozen, or goes on, speeds change without a throw.
        this.#highlights.pause();
      },
      captainChanged: () => this.#captain.show(module),
      tiltsChanged: () => {},
      renamed: () => {},
      happened: (events) => {
        const isWarning = events.some(({ kind }) => kind === EVENT.floorWarning);
        if (isWarning) this.#screen.headline.show(text("headline.floor"));
      },
      fellBack: () => {},
    };
  }

  async #leaveIfOutdated() {
    if ((await fitsServer(this.#module.coreVersion)) || reloadOnce()) return;
    this.#screen.say(text("stage.versions"));
    reloadLater();
  }

  /** @param {number} number of a scene */
  #enter(number) {
    this.#scene = sceneInfo(number);
    document.documentElement.dataset.scene = this.#scene.name;
    this.#halos.forget();
    this.#effects.forget();
    this.#forms.forget();
  }

  /** @param {number} now */
  #draw(now) {
    const { hasWorld } = this.#connection;
    if (hasWorld) this.#advance(now);
    const world = hasWorld ? this.#module : null;
    this.#gravity = leanOf(this.#gravity, world, this.#picture.instances, this.#scene.open);
    this.#renderer.draw(this.#picture, this.#gravity, now);
    // In each picture: whoever begins to play wants to see the pit at once.
    this.#screen.invite(this.#isIdle(now), this.#scene, now);
    if (now - this.#besideAt < BESIDE_INTERVAL) return;
    this.#besideAt = now;
    this.#showBeside(now);
  }

  /** @param {number} now */
  #advance(now) {
    const module = this.#module;
    this.#shown.match(module.world, false);
    const instances = this.#run(now);
    const picture = this.#picture;
    picture.instances = this.#raised.of(instances);
    const boundaries = module.boundaryNumbers;
    picture.isOpen = this.#scene.open || (this.#scene.says && !hasBounds(boundaries));
    const marked = this.#marked;
    marked.isRain = this.#scene.says;
    this.#takeEffects(now);
    const floor = this.#floor;
    floor.width = module.worldWidth;
    floor.hops = this.#scene.drops;
    const forms = this.#forms.of(picture.instances, now);
    picture.forms = this.#screen.attract.wave(picture.instances, forms, floor, now);
    picture.shake = this.#scene.says ? quake(module.ticksToOpening, now) : 0;
    const { colours } = this.#renderer;
    const rods = module.rodNumbers;
    this.#marks.fill(picture, boundaries, rods, colours, marked, this.#wearOf, this.#halos, now);
  }

  /** Blows press what they strike, and the hardest is told; who dropped what is seen by a halo in that
   * person's colour.
   * @param {number} now */
  #takeEffects(now) {
    const count = this.#effects.take(this.#picture.instances, now);
    if (count === 0) return;
    const effects = this.#effects.numbers;
    for (let at = 0; at < count * EFFECT_FLOATS; at += EFFECT_FLOATS) {
      if (effects[at] === EFFECT.blow) {
        this.#forms.strike(effects, at, now);
        this.#highlights.strike(effects[at + 2], effects[at + 3], effects[at + 4], now);
      } else if (effects[at] === EFFECT.dropped) this.#halos.add(effects[at + 2], effects[at + 1], now);
    }
  }

  /** How worn a ledge is.
   * @type {(id: number) => number} */
  #wearOf = (id) => this.#module.wear(id);

  /** Runs the world to a picture, and looks at it once a tick on the way: short throws are seen also
   * where pictures are rare.
   * @param {number} now
   * @returns {Float32Array} the picture's stickers */
  #run(now) {
    const module = this.#module;
    const began = performance.now();
    const elapsed = Math.max(0, Math.min(LONGEST_PAUSE, now - this.#ranTo));
    const steps = Math.min(MOST_LOOKS, Math.max(1, Math.round(elapsed / TICK)));
    const around = this.#surroundings;
    around.drops = this.#scene.drops;
    around.fall = this.#scene.open ? 0 : module.gravity.y;
    for (let step = steps - 1; step > 0; step -= 1) this.#runTo(now - (elapsed * step) / steps);
    const instances = this.#runTo(now);
    this.#ranTo = now;
    this.#connection.spent(performance.now() - began, now);
    return instances;
  }

  /** @param {number} moment ms
   * @returns {Float32Array} the stickers then */
  #runTo(moment) {
    const module = this.#module;
    module.run(moment);
    const instances = module.sample(moment);
    if (!module.isFrozen) this.#highlights.advance(instances, this.#surroundings, moment);
    return instances;
  }

  /** @param {number} now */
  #showBeside(now) {
    const { hits, throws } = this.#highlights;
    const highest = throws.at(now);
    const thrower = highest ? (this.#names.get(highest.who) ?? "") : "";
    this.#screen.showHighlights(hits.at(now), highest, thrower);
    const isOnline = this.#connection.state === "online";
    if (isOnline && this.#connection.hasWorld) this.#news.show(this.#module);
    if (now - this.#addressAt < ADDRESS_INTERVAL) return;
    this.#addressAt = now;
    if (isOnline) this.#invitation.refresh();
  }

  /** Whether nobody plays: nobody is here, or nothing has happened for long.
   * @param {number} now */
  #isIdle(now) {
    if (this.#connection.state !== "online" || !this.#knowsPeople) return false;
    if (this.#module.peopleCount === 0) return now - this.#newsAt > EMPTY_FOR;
    return now - Math.max(this.#highlights.movedAt, this.#newsAt) > IDLE_AFTER;
  }

  /** What the screen knows, for tests and the curious; nothing can be changed by it. */
  #probe() {
    const [connection, module, picture] = [this.#connection, this.#module, this.#picture];
    const highlights = this.#highlights;
    return Object.freeze({
      get connected() {
        return connection.state === "online";
      },
      get state() {
        return connection.state;
      },
      get tick() {
        return module.tick;
      },
      get count() {
        return picture.instances.length / INSTANCE_FLOATS;
      },
      get people() {
        return module.peopleCount;
      },
      /** How far the picture is shifted by the floor's shake, points; how many stickers are drawn
       * pressed flat or stretched, and above their place; and how many ledges have cracks. */
      get shake() {
        return picture.shake;
      },
      get squashed() {
        return picture.forms.filter((value, at) => at % FORM_FLOATS === 1 && value !== 0).length;
      },
      get hopping() {
        return picture.forms.filter((value, at) => at % FORM_FLOATS === 3 && value > 0).length;
      },
      get cracks() {
        return picture.below.filter((value, at) => at % MARK_FLOATS === 7 && value === STYLE.cracked).length;
      },
      /** The hardest hit, pt/s, and the highest throw, points, of the last minute. */
      get best() {
        const now = performance.now();
        return { hit: highlights.hits.at(now), throw: highlights.throws.at(now) };
      },
    });
  }
}
