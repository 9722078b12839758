//! The methods that the laboratory compares.

use bevy::{
    ecs::{component::Mutable, world::World},
    prelude::*,
    reflect::GetTypeRegistration,
};
use bevy_impulse_collide::prelude::*;
use impulse_lab::{
    planet::{
        BoundedForce, CooledSprings, Events, Impulses, Merging, PointMasses, Positions, Verlet,
    },
    solver::{
        ConjugateGradient, Direct, GaussSeidel, Hybrid, Jacobi, SoftSteps, VertexBlockDescent, Xpbd,
    },
    stepper::{HalfStepCorrected, Leapfrog, Spook, Springs, TimeOfImpact, WithoutContact},
};

/// A method with its parameters.
pub struct Method {
    /// On the command line and in reports.
    pub name: &'static str,
    /// On the screen.
    pub title: &'static str,
    pub about: &'static str,
    /// Makes it the method of an app.
    pub add: fn(&mut App),
    /// The resource that holds its parameters.
    pub parameters: Option<Parameters>,
}

/// A resource with the parameters of a method.
#[derive(Clone, Copy)]
pub struct Parameters {
    /// The resource as a value that can be edited.
    pub of: fn(&mut World) -> Option<Mut<'_, dyn PartialReflect>>,
    /// Makes its type known to an app that shows it.
    pub register: fn(&mut App),
}

const fn edit<R>() -> Parameters
where
    R: Resource<Mutability = Mutable> + Reflect + GetTypeRegistration,
{
    Parameters {
        of: |world| {
            let resource = world.get_resource_mut::<R>()?;
            Some(resource.map_unchanged(|resource| resource.as_partial_reflect_mut()))
        },
        register: |app| {
            app.register_type::<R>();
        },
    }
}

/// The step of the physics crate.
const STAGES: Method = Method {
    name: "stages",
    title: "Six stages",
    about: "The step of this engine. Each impact happens at its own time inside the step, on the ball's own parabola. Contacts that \
            last get the impulse that stops the approach, and no more. Positions follow velocities, so momentum and angular momentum \
            stay. What overlap remains is pushed out with angular momentum kept.",
    add: |_| {},
    parameters: Some(edit::<CollisionConfig>()),
};

/// Ways to step balls under uniform gravity: steppers, and solvers of many contacts.
pub static STEPPERS: [Method; 16] = [
    STAGES,
    Method {
        name: "leapfrog",
        title: "Leapfrog",
        about: "An impact turns the velocity round, gravity changes it, a contact stops it, and the position follows. The impact sees \
                the velocity of half a step before. So gravity is not balanced in it. An elastic ball loses or gains height with \
                every bounce. A smaller step makes the error smaller, by the same factor.",
        add: |app| {
            app.add_plugins(Leapfrog);
        },
        parameters: None,
    },
    Method {
        name: "half_step",
        title: "Half-step correction",
        about: "As leapfrog, but half of the gravity comes before the impact and half after it. The impact sees the velocity of its \
                own time. A ball that ends below the floor is put on the floor. That lifts it, and lifting gives energy. So an \
                elastic ball now rises slowly.",
        add: |app| {
            app.add_plugins(HalfStepCorrected);
        },
        parameters: None,
    },
    Method {
        name: "without_contact",
        title: "Without contact stage",
        about: "Impacts only: nothing stops a ball that rests, and nothing puts it back on the floor. An elastic ball runs the same \
                steps down and up, so it keeps its height exactly. A ball that bounces less comes to rest in many small impacts. \
                Impacts alone cannot carry it. It sinks into the floor.",
        add: |app| {
            app.add_plugins(WithoutContact);
        },
        parameters: None,
    },
    Method {
        name: "springs",
        title: "Springs",
        about: "Bodies may overlap, and a damped spring pushes them apart. The spring's stiffness decides how deep they sink, and how \
                short a step must be. A bounce is half an oscillation of the spring. The restitution is no parameter: it comes out of \
                the damping. A spring too hard for the step gives energy, and the scene explodes.",
        add: |app| {
            app.add_plugins(Springs::default());
        },
        parameters: Some(edit::<Springs>()),
    },
    Method {
        name: "spook",
        title: "SPOOK",
        about: "Contacts are constraints with a spring and a damper of their own, solved with the step and not after it. So a stiff \
                contact needs no short step. The overlap vanishes over some steps, given by the relaxation. Fast impacts get impulses \
                first. Many contacts are solved by sweeps, and too few sweeps leave a heap soft.",
        add: |app| {
            app.add_plugins(Spook::default());
        },
        parameters: Some(edit::<Spook>()),
    },
    Method {
        name: "time_of_impact",
        title: "Time of impact, alone",
        about: "Each ball that ends below a surface goes back to its impact, is reflected, and flies on. For one ball on one plane \
                that is exact. But each contact is taken as if there were no other. A second impact in the same step happens at a \
                wrong place. A queue of impacts mends that: see the six stages.",
        add: |app| {
            app.add_plugins(TimeOfImpact);
        },
        parameters: None,
    },
    Method {
        name: "jacobi",
        title: "Jacobi",
        about: "All contacts are solved at once, each for the velocities at the start of the sweep. Two contacts that push the same \
                body do not see each other, and push twice as far. So each change is made smaller, by the relaxation. That is stable \
                and slow. A tall heap would need very many sweeps.",
        add: |app| {
            app.add_plugins(Jacobi::default());
        },
        parameters: Some(edit::<Jacobi>()),
    },
    Method {
        name: "gauss_seidel",
        title: "Gauss–Seidel",
        about: "Contact after contact is solved, each for the velocities that the one before has left. Most engines do this, and call \
                it sequential impulses. A push goes one body further in each sweep. So a tall column and a heavy ball on a light one \
                sink. The overlap is taken out by a wanted speed (Baumgarte).",
        add: |app| {
            app.add_plugins(GaussSeidel::default());
        },
        parameters: Some(edit::<GaussSeidel>()),
    },
    Method {
        name: "over_relaxation",
        title: "Over-relaxation, ω = 1.5",
        about: "As Gauss–Seidel, but each contact goes half as far again as it alone should. Its neighbours will ask for that anyway. \
                A good ω saves most of the sweeps. With a bad one the impulses swing. The best ω depends on the scene.",
        add: |app| {
            app.add_plugins(GaussSeidel {
                relaxation: 1.5,
                ..default()
            });
        },
        parameters: Some(edit::<GaussSeidel>()),
    },
    Method {
        name: "conjugate_gradient",
        title: "Conjugate gradients",
        about: "As Gauss–Seidel, but each sweep keeps a part of the direction of the one before. So a sweep does not undo what the last \
                one did. Tall columns need far fewer sweeps. Friction depends on the normal impulses, so nothing proves that it \
                converges. It starts anew where it does not.",
        add: |app| {
            app.add_plugins(ConjugateGradient::default());
        },
        parameters: Some(edit::<ConjugateGradient>()),
    },
    Method {
        name: "direct",
        title: "Direct, with pivoting",
        about: "All contacts are solved at once by a factorised matrix. A guess says which contacts push and which slide, and the \
                solution mends the guess. A load goes through a column of any height. So nothing approaches, up to rounding. The time \
                grows faster than the number of contacts: a heap of thousands takes seconds a step.",
        add: |app| {
            app.add_plugins(Direct::default());
        },
        parameters: Some(edit::<Direct>()),
    },
    Method {
        name: "hybrid",
        title: "Hybrid: direct and sweeps",
        about: "Normal impulses are solved all at once, as by the direct method. Friction is found by sweeps, in turns with them. So \
                fewer matrices are factorised. Columns stand as with the direct method. What stands by friction alone may creep.",
        add: |app| {
            app.add_plugins(Hybrid::default());
        },
        parameters: Some(edit::<Hybrid>()),
    },
    Method {
        name: "soft_steps",
        title: "Soft contacts, small steps",
        about: "A step is cut into four, and each contact is a damped spring that is solved with the step. A second solve takes away \
                the speed that the springs gave. Box2D 3 does this. One sweep in each of four small steps does more than four sweeps. \
                A very heavy ball on a light one still sinks.",
        add: |app| {
            app.add_plugins(SoftSteps::default());
        },
        parameters: Some(edit::<SoftSteps>()),
    },
    Method {
        name: "xpbd",
        title: "Positions, small steps",
        about: "A step is cut into twenty. In each one overlapping bodies are moved apart, and velocities come out of the moves \
                (XPBD). Contacts are as stiff as the compliance says. Moves carry no angular momentum. An overlap that is mended \
                becomes a speed of the neighbours.",
        add: |app| {
            app.add_plugins(Xpbd::default());
        },
        parameters: Some(edit::<Xpbd>()),
    },
    Method {
        name: "vertex_block",
        title: "Vertex block descent",
        about: "Body after body goes to the least of its own energy, with contacts as springs. After each sweep a contact remembers its \
                force, and gets stiffer by what it lacks. So a soft contact gets as far as a hard one. A heavy ball does not frighten \
                it. But a contact that is new has no stiffness yet, and sinks a little.",
        add: |app| {
            app.add_plugins(VertexBlockDescent::default());
        },
        parameters: Some(edit::<VertexBlockDescent>()),
    },
];

/// Ways to hold a planet together.
pub static PLANETS: [Method; 15] = [
    STAGES,
    Method {
        name: "point_masses",
        title: "Point masses",
        about: "The balls attract each other and never collide. Two balls come as near as the step lets them. There the force has no \
                bound. One step of it throws both out. Energy is made out of nothing, and the planet is gone.",
        add: |app| {
            app.add_plugins(PointMasses);
        },
        parameters: None,
    },
    Method {
        name: "bounded_force",
        title: "Bounded force",
        about: "As point masses, but the attraction grows no more once two balls touch. Nothing is thrown out. Nothing keeps the \
                balls apart either. They fly through each other. The planet stays a swarm.",
        add: |app| {
            app.add_plugins(BoundedForce);
        },
        parameters: None,
    },
    Method {
        name: "merging",
        title: "Merging",
        about: "Two balls that touch become one, with the mass and the momentum of both. Nothing overlaps, and nothing is thrown out. \
                The energy of the approach is lost. So is the angular momentum of the two about each other. Soon a few large balls \
                are left, and then one. It is a planet of nothing.",
        add: |app| {
            app.add_plugins(Merging);
        },
        parameters: None,
    },
    Method {
        name: "springs",
        title: "Springs",
        about: "Springs push overlapping balls apart. A spring needs time to act. Until then the two balls are so near that gravity \
                throws them out. A harder spring throws them out by itself. The planet explodes.",
        add: |app| {
            app.add_plugins(CooledSprings::default());
        },
        parameters: Some(edit::<CooledSprings>()),
    },
    Method {
        name: "cooled_springs",
        title: "Springs with cooling",
        about: "As springs, but every velocity loses a part of itself in each step. The planet boils for a while and then settles. \
                The cooling brakes everything, not only what boils. A ball in free flight slows down. The planet stops turning.",
        add: |app| {
            app.add_plugins(CooledSprings {
                cooling: 0.99,
                ..default()
            });
        },
        parameters: Some(edit::<CooledSprings>()),
    },
    Method {
        name: "impulses",
        title: "Impulses",
        about: "Balls that overlap and approach get the impulse that stops the approach. It conserves momentum and angular momentum. \
                But it stops an approach, not an overlap. What has sunk in stays in. The planet sinks into itself, and in the end \
                explodes.",
        add: |app| {
            app.add_plugins(Impulses::default());
        },
        parameters: Some(edit::<Impulses>()),
    },
    Method {
        name: "sponge",
        title: "Impulses, β = 1/8",
        about: "As impulses, with a wanted speed that takes an eighth of the overlap out in a step (Baumgarte), and 16 sweeps. The \
                planet holds. But the overlap only shrinks as gravity makes it anew. The planet is a sponge. A comet that falls in \
                makes it swing.",
        add: |app| {
            app.add_plugins(Impulses {
                bias: 0.125,
                iterations: 16,
                ..default()
            });
        },
        parameters: Some(edit::<Impulses>()),
    },
    Method {
        name: "boiling",
        title: "Impulses, β = 1",
        about: "As impulses, with a wanted speed that takes the whole overlap out in one step. That speed remains when the overlap is \
                gone. Each correction is a kick. The kicks are heat. The planet boils.",
        add: |app| {
            app.add_plugins(Impulses {
                bias: 1.0,
                iterations: 16,
                ..default()
            });
        },
        parameters: Some(edit::<Impulses>()),
    },
    Method {
        name: "elastic_impulses",
        title: "Impulses with elasticity",
        about: "As impulses with β = 1/8 and 16 sweeps, and each approach gives back half of its speed. With many sweeps the later ones \
                see no approach any more. So the elasticity counts once, for the speed before. In a dense planet every ball always \
                approaches. The elasticity keeps it warm.",
        add: |app| {
            app.add_plugins(Impulses {
                bias: 0.125,
                iterations: 16,
                elasticity: 0.5,
            });
        },
        parameters: Some(edit::<Impulses>()),
    },
    Method {
        name: "positions",
        title: "Positions",
        about: "Overlapping balls are moved apart, and their velocities know nothing of it. Gravity goes on to make them faster. The \
                balls are held by displacements alone. One day a velocity is larger than a displacement. The planet explodes.",
        add: |app| {
            app.add_plugins(Positions {
                with_impulses: false,
                ..default()
            });
        },
        parameters: Some(edit::<Positions>()),
    },
    Method {
        name: "positions_with_impulses",
        title: "Positions and impulses",
        about: "Overlapping balls are moved apart, and impulses stop their approach. With 16 sweeps the planet is stiff and calm. But \
                a displacement moves mass about the centre without a velocity. So angular momentum is not conserved. The planet turns \
                faster and faster, and tears apart.",
        add: |app| {
            app.add_plugins(Positions {
                iterations: 16,
                ..default()
            });
        },
        parameters: Some(edit::<Positions>()),
    },
    Method {
        name: "verlet",
        title: "Positions with Verlet",
        about: "A velocity is the difference of two positions, so that a displacement is a velocity. With one sweep the planet is \
                soft. With many it is stiff and calm, and a pleasure to see. But it turns faster and faster. It tears apart.",
        add: |app| {
            app.add_plugins(Verlet::default());
        },
        parameters: Some(edit::<Verlet>()),
    },
    Method {
        name: "verlet_once",
        title: "Verlet, one sweep",
        about: "As positions with Verlet, with a single sweep over the pairs. Each pair moves its balls into their other neighbours. \
                The overlap that remains is large. The planet is soft. It also turns faster than it should.",
        add: |app| {
            app.add_plugins(Verlet { iterations: 1 });
        },
        parameters: Some(edit::<Verlet>()),
    },
    Method {
        name: "events",
        title: "Event queue",
        about: "Every impact happens at its own time, and the next one comes out of a queue. Nothing overlaps. But a ball at rest is \
                a ball with endlessly many impacts. So an impact that follows another one at once is elastic. The planet is a dense \
                gas. The calmer it gets, the more events a step has.",
        add: |app| {
            app.add_plugins(Events::default());
        },
        parameters: Some(edit::<Events>()),
    },
];
